"""Values that the publication does not print, from its printed equations and parameters.

    python3 evaluate.py

Prints `id value` for every row of published.csv whose origin is "evaluated". Nothing of Masing is used. The numerical
example of section 2: φ(f) = 0.2 on [0, 5], x = 3 sin 2πt, normal load and stiffness both 1 + 0.5 sin 2πt or
1 + 0.5 cos 2πt. Its forces follow from (10) and (26), with the misprints corrected: x₀ − x in (26), and k₀α + kα₀ in the
denominators of its limits. The normal stiffness is (34) with Fig. 8. Equation numbers are those of Rajaei and Ahmadian (2014).
"""

from math import cos, log, pi, sin, sqrt

TOP = 5.0  # φ = 1/TOP on [0, TOP]


def slid(c):
    """∫₀ᶜ f φ df"""
    return min(c, TOP) ** 2 / (2 * TOP)


def stuck(c):
    """∫_c^∞ φ df"""
    return max(1 - c / TOP, 0.0)


def virgin(x, a, k):
    """(10)"""
    return a * slid(k * x / a) + k * x * stuck(k * x / a)


def branch(x, a, k, x0, f0, a0, k0, sign):
    """(26): sign +1 leaving a maximum, −1 leaving a minimum"""
    d = abs(x0 - x)
    c = k * k0 * d / (k0 * a + k * a0)
    return k / k0 * f0 - sign * ((a + k * a0 / k0) * slid(c) + k * d * stuck(c))


def force(t, load):
    """First cycle from rest, 0 ≤ t ≤ 1."""
    x = 3 * sin(2 * pi * t)
    if t <= 0.25:
        return virgin(x, load(t), load(t))
    top = (3.0, virgin(3.0, load(0.25), load(0.25)), load(0.25), load(0.25))
    if t <= 0.75:
        return branch(x, load(t), load(t), *top, 1)
    low = (-3.0, branch(-3.0, load(0.75), load(0.75), *top, 1), load(0.75), load(0.75))
    return branch(x, load(t), load(t), *low, -1)


def area(load, cycles=2, steps=20000):
    """∮ F dx of a later cycle by the trapezoidal rule: the reversal points repeat from the first minimum on."""
    x, f = [], []
    top = (3.0, virgin(3.0, load(0.25), load(0.25)), load(0.25), load(0.25))
    for _ in range(cycles):
        low = (-3.0, branch(-3.0, load(0.75), load(0.75), *top, 1), load(0.75), load(0.75))
        x, f = [], []
        for i in range(2 * steps + 1):
            t = 0.75 + i / (2 * steps)
            new = t > 1.25
            state, sign = (top_next, 1) if new else (low, -1)
            x.append(3 * sin(2 * pi * t))
            f.append(branch(x[-1], load(t), load(t), *state, sign))
            if i == steps:
                top_next = (3.0, f[-1], load(t), load(t))
        top = top_next
    return sum((f[i] + f[i + 1]) / 2 * (x[i + 1] - x[i]) for i in range(2 * steps))


def normal_stiffness(length, load=206.01, r=0.005, e=210e9, nu=0.3):
    """(34): a steel cylinder on a steel plane, load over approach under three blocks"""
    per_length = load / length
    half_width = sqrt(4 * per_length * r / (pi * e / (2 * (1 - nu**2))))
    return load / (per_length * (1 - nu**2) / (pi * e) * (2 * log(4 * r / half_width) - 1))


LOADS = {
    "constant": lambda t: 1.0,
    "sine": lambda t: 1 + 0.5 * sin(2 * pi * t),
    "cosine": lambda t: 1 + 0.5 * cos(2 * pi * t),
}
TIMES = [0.1, 0.25, 0.5, 0.75, 1.0]


def values():
    for name, load in LOADS.items():
        yield f"area_{name}", area(load)
    for name in ("sine", "cosine"):
        for t in TIMES:
            yield f"{name}_{t:g}", force(t, LOADS[name])
    for length in (50, 40):
        yield f"k_n_{length}", normal_stiffness(length / 1e3) / 1e9


if __name__ == "__main__":
    for name, value in values():
        print(f"{name} {value:.10g}")
