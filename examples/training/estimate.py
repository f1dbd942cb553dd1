"""Trains the learned estimate of the search for control words, and writes its weights as Rust.

A sample of bags (`cain-experiments bags`) says which bags of a layer lead to the shortest programs that were found. An estimate
is good if these have lower estimates than the others: the loss is a softmax over each layer. Goals and bags have a network
each, of bounded rectifiers beside a linear map, see `cain-search/src/engine/estimate/network.rs`. Weights are rounded to
integers in the end, and scaled so that the learned estimate spreads over a layer as much as the linear one does.
"""

import argparse

import numpy as np
import torch

OF_GOAL, OF_BAG, MARKS = 22, 15, 4
MIDDLE_OF_GOALS, MIDDLE_OF_BAGS = 24, 12
# Units of the integers: of inputs and middle layers, and of the weights between them.
ONE, FRACTION = 1000, 4096
MOST = 4.0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True, nargs="+", metavar="DIR", help="folders with the files `bags` and `goals`")
    parser.add_argument("--out", default="networks.rs", help="the file to write")
    parser.add_argument("--start", help="a checkpoint to begin with")
    parser.add_argument("--checkpoint", default="estimate.pt", help="written after each epoch")
    parser.add_argument("--epochs", type=int, default=50)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--decay", type=float, default=1e-2)
    parser.add_argument("--batch", type=int, default=64, help="layers at a time")
    parser.add_argument("--kept-back", type=int, default=10, metavar="N", help="one of N declarations only for evaluation")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


class Network(torch.nn.Module):
    """L·x + O·min(4, max(0, M·x + b)) + c"""

    def __init__(self, inputs, middle, outputs, scale):
        super().__init__()
        self.scale = scale
        self.middle = torch.nn.Linear(inputs, middle)
        self.output = torch.nn.Linear(middle, outputs)
        self.linear = torch.nn.Linear(inputs, outputs, bias=False)
        torch.nn.init.zeros_(self.linear.weight)

    def forward(self, x):
        x = x / self.scale
        return self.linear(x) + self.output(self.middle(x).clamp(0, MOST))


class Estimate(torch.nn.Module):
    def __init__(self, scale_of_goals, scale_of_bags):
        super().__init__()
        self.goals = Network(OF_GOAL, MIDDLE_OF_GOALS, 3, scale_of_goals)
        self.bags = Network(OF_BAG, MIDDLE_OF_BAGS, 1, scale_of_bags)
        self.repeated_ray = torch.nn.Parameter(torch.zeros(()))
        self.second_copy = torch.nn.Parameter(torch.zeros(()))

    def forward(self, bags, goals, marks, bag_of_goal):
        of_class, on_ray, in_news, second = marks.unbind(1)
        parts = self.goals(goals)
        of_goals = parts[:, 0] + parts[:, 1] * of_class + parts[:, 2] * in_news
        of_goals = of_goals + self.repeated_ray * on_ray + self.second_copy * second
        return self.bags(bags)[:, 0].index_add(0, bag_of_goal, of_goals)


class Sample:
    """Bags in the order of their layers, and their goals in the order of the bags."""

    def __init__(self, folders):
        all_bags, all_goals, counts = [], [], [0, 0, 0]
        for folder in folders:
            bags = np.fromfile(f"{folder}/bags", "<i4").reshape(-1, 5 + OF_BAG)
            goals = np.fromfile(f"{folder}/goals", "<i4").reshape(-1, 1 + MARKS + OF_GOAL)
            bags[:, 0] += counts[0]
            bags[:, 1] += counts[1]
            goals[:, 0] += counts[2]
            counts = [bags[:, 0].max() + 1, bags[:, 1].max() + 1, counts[2] + len(bags)]
            all_bags.append(bags)
            all_goals.append(goals)
        bags, goals = np.concatenate(all_bags), np.concatenate(all_goals)
        self.declaration, self.layer = bags[:, 0], bags[:, 1]
        self.is_best = torch.from_numpy(bags[:, 2] != 0)
        self.linear = torch.from_numpy(bags[:, 3] / ONE).float()
        self.detours = torch.from_numpy(bags[:, 4] / ONE).float()
        self.bags = torch.from_numpy(bags[:, 5:] / ONE).float()
        self.marks = torch.from_numpy(goals[:, 1 : 1 + MARKS]).float()
        self.goals = torch.from_numpy(goals[:, 1 + MARKS :] / ONE).float()
        layers = np.arange(self.layer.max() + 2)
        self.first_bag = np.searchsorted(self.layer, layers)
        self.first_goal = np.searchsorted(goals[:, 0], np.arange(len(bags) + 1))
        self.bag_of_goal = goals[:, 0]

    def batch(self, layers):
        """What the estimate looks at in the bags of some layers, their numbers, and the layer of each bag."""
        bags = np.concatenate([np.arange(self.first_bag[n], self.first_bag[n + 1]) for n in layers])
        count = self.first_goal[bags + 1] - self.first_goal[bags]
        goals = np.concatenate([np.arange(self.first_goal[n], self.first_goal[n + 1]) for n in bags])
        of_bag = torch.from_numpy(np.repeat(np.arange(len(bags)), count))
        sizes = [self.first_bag[n + 1] - self.first_bag[n] for n in layers]
        of_layer = torch.from_numpy(np.repeat(np.arange(len(layers)), sizes))
        return (self.bags[bags], self.goals[goals], self.marks[goals], of_bag), torch.from_numpy(bags), of_layer


def losses(estimates, is_best, of_layer, count):
    """For each layer minus the logarithm of the share of its best bags in a softmax."""
    lowest = torch.full((count,), torch.inf).scatter_reduce(0, of_layer, estimates.detach(), "amin")
    weights = torch.exp((lowest[of_layer] - estimates).clamp(min=-50))
    all_weights = torch.zeros(count).index_add(0, of_layer, weights)
    best = torch.zeros(count).index_add(0, of_layer, weights * is_best)
    return torch.log(all_weights) - torch.log(best + 1e-20)


def share_before(estimates, is_best, of_layer, count):
    """The mean share of the other bags of a layer that come before its first best one."""
    first = torch.full((count,), torch.inf).scatter_reduce(0, of_layer[is_best], estimates[is_best], "amin")
    others = ~is_best
    before = torch.zeros(count).index_add(0, of_layer[others], (estimates < first[of_layer])[others].float())
    return (before / torch.zeros(count).index_add(0, of_layer[others], torch.ones(int(others.sum())))).mean()


def spread(estimates, of_layer, count):
    """The mean standard deviation in a layer."""
    ones = torch.zeros(count).index_add(0, of_layer, torch.ones_like(estimates))
    mean = torch.zeros(count).index_add(0, of_layer, estimates) / ones
    square = torch.zeros(count).index_add(0, of_layer, (estimates - mean[of_layer]) ** 2) / ones
    return square.sqrt().mean()


def evaluated(model, sample, layers):
    inputs, bags, of_layer = sample.batch(layers)
    with torch.no_grad():
        learned = model(*inputs)
    is_best, count = sample.is_best[bags], len(layers)
    return (
        losses(learned + sample.detours[bags], is_best, of_layer, count).mean(),
        share_before(learned + sample.detours[bags], is_best, of_layer, count),
        share_before(sample.linear[bags], is_best, of_layer, count),
        spread(learned, of_layer, count),
        spread(sample.linear[bags] - sample.detours[bags], of_layer, count),
    )


def train(args, sample):
    layers = np.arange(len(sample.first_bag) - 1)
    is_kept_back = sample.declaration[sample.first_bag[:-1]] % args.kept_back == 0
    model = Estimate(*(values.std(0) + 0.1 for values in (sample.goals, sample.bags)))
    if args.start:
        model.load_state_dict(torch.load(args.start))
    learn, keep = layers[~is_kept_back], layers[is_kept_back]
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=args.decay)
    steps = args.epochs * -(-len(learn) // args.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.rate, total_steps=steps, pct_start=0.1)
    order = np.random.default_rng(args.seed)
    for epoch in range(args.epochs):
        order.shuffle(learn)
        total = 0.0
        for first in range(0, len(learn), args.batch):
            now = learn[first : first + args.batch]
            inputs, bags, of_layer = sample.batch(now)
            estimates = model(*inputs) + sample.detours[bags]
            loss = losses(estimates, sample.is_best[bags], of_layer, len(now)).mean()
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += float(loss.detach()) * len(now)
        torch.save(model.state_dict(), args.checkpoint)
        loss, learned, linear, *_ = evaluated(model, sample, keep)
        print(
            f"epoch {epoch + 1}: loss {total / len(learn):.4f}, kept back {loss:.4f}; bags before the first best one "
            f"{100 * learned:.2f} % (linear estimate {100 * linear:.2f} %)",
            flush=True,
        )
    *_, of_learned, of_linear = evaluated(model, sample, learn)
    return model, float(of_linear / of_learned)


def rust(values, depth):
    """Integers as a Rust array."""
    if values.ndim == 0:
        return str(int(values))
    return "[" + ", ".join(rust(row, depth + 1) for row in values) + "]"


def network(network, factor):
    """A network as a Rust value, its outputs multiplied."""
    scale = network.scale
    fields = {
        "middle": network.middle.weight / scale * FRACTION,
        "middle_bias": network.middle.bias * ONE,
        "output": network.output.weight * factor,
        "linear": network.linear.weight / scale * factor,
        "bias": network.output.bias * factor,
    }
    text = [f"    {name}: {rust(value.detach().double().numpy().round(), 1)}," for name, value in fields.items()]
    return "Network {\n" + "\n".join(text) + "\n}"


def main():
    args = arguments()
    torch.manual_seed(args.seed)
    sample = Sample(args.data)
    model, factor = train(args, sample)
    # Estimates are in thousandths.
    factor *= ONE
    constants = [
        f"pub(super) const GOALS: GoalNetwork = {network(model.goals, factor)};",
        f"pub(super) const BAGS: BagNetwork = {network(model.bags, factor)};",
        "/// What a value adds whose ray is there already.\n"
        f"pub(super) const REPEATED_RAY: i64 = {round(model.repeated_ray.item() * factor)};",
        "/// What the second of two equal values in registers adds.\n"
        f"pub(super) const SECOND_COPY: i64 = {round(model.second_copy.item() * factor)};",
    ]
    with open(args.out, "w") as file:
        file.write("\n\n".join(constants) + "\n")


main()
