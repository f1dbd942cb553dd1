file = "kernels.toml",
