"""What onnxruntime makes of models and pictures.

    python3 run.py FOLDER

reads `NAME.onnx` and `NAME.json`, the numbers of some pictures, and writes `NAME.results.json`: for each picture and output
the type, the sizes and the numbers; or `null` if this version of onnxruntime lacks an operator for a type.
"""

import glob
import json
import sys

import numpy as np
import onnxruntime
from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented as Missing


def results(model, pictures):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    # As the nodes stand in the file.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Missing as problem:
        print(f"{model}: {problem}")
        return None
    picture = session.get_inputs()[0]
    found = []
    for numbers in pictures:
        values = np.array(numbers, np.float32).reshape(1, 1, *picture.shape[2:])
        outputs = [np.asarray(output) for output in session.run(None, {picture.name: values})]
        found.append([[str(output.dtype), output.shape, output.astype(np.float64).ravel().tolist()] for output in outputs])
    return found


if __name__ == "__main__":
    for model in sorted(glob.glob(f"{sys.argv[1]}/*.onnx")):
        name = model.removesuffix(".onnx")
        with open(f"{name}.json") as file:
            pictures = json.load(file)
        found = results(model, pictures)
        with open(f"{name}.results.json", "w") as file:
            json.dump(found, file)
