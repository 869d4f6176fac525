"""Values that the publication does not print, from its printed equations and parameters.

    python3 evaluate.py

Prints `id value` for every row of published.csv whose origin is "evaluated", in the unit of that row. Nothing of Masing is
used. Equation numbers are those of Brake (2017); (24) has the sign ± before its scaled term, as the text needs it.
"""

from math import exp, gamma, pi, sin, sqrt

# Table 1
K_T, F_S, CHI, BETA, K_P, GAP = 1.5e7, 4e3, -0.5, 0.005, 1e7, 2e-3


class Backbone:
    """(17); with θ < 1 (29). Uniform: (32)."""

    def __init__(self, k, limit, chi, beta, theta=1.0):
        c = beta + (chi + 1) / (chi + 2)
        self.chi, self.theta, self.static = chi, theta, limit
        self.end = limit * (1 + beta) / (k * c)  # (10)
        self.r = limit * (chi + 1) / (self.end ** (chi + 2) * c)  # (8)
        self.s = limit / self.end * beta / c  # (9)
        self.limit = self.force(self.end)

    def force(self, u):
        u = min(u, self.end)
        chi = self.chi
        return self.r * ((self.theta / (chi + 2) - 1 / (chi + 1)) * u ** (chi + 2)
                         + self.end ** (chi + 1) / (chi + 1) * u) + self.s * u

    def integral(self, u):
        v, chi = min(u, self.end), self.chi
        inside = self.r * ((self.theta / (chi + 2) - 1 / (chi + 1)) * v ** (chi + 3) / (chi + 3)
                           + self.end ** (chi + 1) / (chi + 1) * v * v / 2) + self.s * v * v / 2
        return inside + self.limit * (u - v)

    def energy(self, a):
        """Masing's rules: W = 8 ∫ F − 4 a F(a)"""
        return 8 * self.integral(a) - 4 * a * self.force(a)

    def ripp_energy(self, a):
        """Steady symmetric cycle of (24): 2f = g F(2a/g), g = 1 + f/F_S, by bisection; the area follows from the branch."""
        low, high = 0.0, self.limit
        for _ in range(200):
            f = (low + high) / 2
            g = 1 + f / self.limit
            low, high = (f, high) if g * self.force(2 * a / g) > 2 * f else (low, f)
        g = 1 + low / self.limit
        return 2 * (g * g * self.integral(2 * a / g) - 2 * low * a)

    def first_harmonic(self, a):
        """Real part of the describing function, a ≤ ϕ_max: the stiffness that a single harmonic feels."""
        p = self.chi + 2
        scale = self.r / ((self.chi + 1) * p) * a ** (self.chi + 1)
        return self.r * self.end ** (self.chi + 1) / (self.chi + 1) + self.s - 4 / sqrt(pi) * scale * p / (p + 1) * gamma(
            p + 0.5) / gamma(p + 1)


class Uniform(Backbone):
    def __init__(self, limit, end):
        self.limit, self.static, self.end = limit, limit, end

    def force(self, u):
        v = min(u, self.end)
        return 2 * self.limit / self.end * (v - v * v / (2 * self.end))

    def integral(self, u):
        v = min(u, self.end)
        return 2 * self.limit / self.end * (v * v / 2 - v**3 / (6 * self.end)) + self.limit * (u - v)


def pinning(x, stiffness):
    """(5)"""
    return stiffness * (max(x - GAP, 0.0) + min(x + GAP, 0.0))


def transient(backbone, pin, step=5e-7, end=0.05):
    """1 kg under 5 sin(2π 100 t) kN from rest, joint (24); Runge-Kutta of fourth order, reversals located."""
    x, v, t, x0, f0, d = 0.0, 0.0, 0.0, 0.0, 0.0, 1.0
    limit = backbone.static

    def sliding(x):
        g = (limit - d * f0) / limit
        return f0 + d * g * backbone.force(max(d * (x - x0), 0.0) / g) if g > 0 else f0

    def rate(t, x):
        return 5e3 * sin(200 * pi * t) - sliding(x) - pinning(x, pin)

    def advance(t, x, v, h):
        a1 = rate(t, x)
        a2 = rate(t + h / 2, x + h / 2 * v)
        a3 = rate(t + h / 2, x + h / 2 * v + h * h / 4 * a1)
        a4 = rate(t + h, x + h * v + h * h / 2 * a2)
        return x + h * v + h * h / 6 * (a1 + a2 + a3), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)

    marks, out = [0.01, 0.02, 0.03, 0.04, 0.05], []
    while len(out) < len(marks):
        h = min(step, marks[len(out)] - t)
        nx, nv = advance(t, x, v, h)
        if nv * d < 0:
            low, high = 0.0, h
            for _ in range(40):
                middle = (low + high) / 2
                low, high = (middle, high) if advance(t, x, v, middle)[1] * d >= 0 else (low, middle)
            nx, nv = advance(t, x, v, low)
            h = high
            x0, f0, d = nx, sliding(nx), -d
            nv = 0.0
        t, x, v = t + h, nx, nv
        if t >= marks[len(out)] - 1e-12:
            out.append(x)
    return out


def stribeck(rate):
    """Last term of (39) in macroslip: θ = 0.75, v_S = 0.1 mm/s, δ_S = 2, F_V = 1 mN s/m"""
    return (F_S * 0.25 * exp(-((rate / 1e-4) ** 2)) + 1e-3 * rate) / (BETA + (CHI + 1) / (CHI + 2))


FOUR = Backbone(K_T, F_S, CHI, BETA)
FIVE = Backbone(K_T, F_S, CHI, BETA, 0.75)
UNIFORM = Uniform(F_S, FOUR.end)

# Brake-Reuß beam, section 4: K_T and ϕ_max as printed, and what (10) makes of them
MASS, BEAM_K, BEAM_CHI, BEAM_BETA, BEAM_END = 3.67, 1.1e6, -0.76, 0.16, 2e-3
BEAM_C = BEAM_BETA + (BEAM_CHI + 1) / (BEAM_CHI + 2)
CONSISTENT_FORCE = BEAM_K * BEAM_END * BEAM_C / (1 + BEAM_BETA)


def beam_frequency(amplitude):
    """First harmonic only; 230 Hz while everything sticks."""
    beam = Backbone(BEAM_K, CONSISTENT_FORCE, BEAM_CHI, BEAM_BETA)
    stiffness = MASS * (2 * pi * 230) ** 2 - BEAM_K + beam.first_harmonic(amplitude)
    return sqrt(stiffness / MASS) / (2 * pi)


def values():
    yield "phi_max", FOUR.end * 1e3
    yield "limit_five", FIVE.limit / 1e3
    for name, law in (("four", FOUR), ("five", FIVE), ("uniform", UNIFORM)):
        yield f"W_{name}", law.energy(2.25e-3)
        yield f"F_{name}", (law.limit + pinning(2.25e-3, K_P)) / 1e3
    for share in (0.1, 0.3, 0.6):
        a = share * FOUR.end
        yield f"excess_{share:g}", (FOUR.ripp_energy(a) / FOUR.energy(a) - 1) * 100
    for name, law, pin in (("free", FOUR, 0.0), ("four", FOUR, K_P), ("five", FIVE, K_P),
                           ("uniform", UNIFORM, K_P)):
        for time, x in zip((10, 20, 30, 40, 50), transient(law, pin)):
            yield f"x_{name}_{time}", x * 1e3
    for name, rate in (("slow", 0.4e-6), ("middle", 40e-6), ("fast", 4e-3)):
        yield f"stribeck_{name}", (FIVE.limit + stribeck(rate)) / 1e3
    yield "beam_phi_max", BEAM_END * 1e3
    yield "beam_frequency", beam_frequency(100e-6)
    yield "beam_energy", 4e3 * (100e-6 / BEAM_END) ** (BEAM_CHI + 3) * CONSISTENT_FORCE**2 / BEAM_K * (  # (45)
        (BEAM_BETA + 1) * (BEAM_CHI + 1) / (BEAM_C**2 * (BEAM_CHI + 2) * (BEAM_CHI + 3)))


if __name__ == "__main__":
    for name, value in values():
        print(f"{name} {value:.10g}")
