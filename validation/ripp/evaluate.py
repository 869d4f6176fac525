"""Values that the publication does not print, from its printed equations and parameters.

    python3 evaluate.py

Prints `id value` for every row of published.csv whose origin is "evaluated", in the unit of that row. Nothing of Masing is
used. Equation numbers are those of Brake (2017); (24) has the sign ± before its scaled term, as the text needs it.
"""

from math import cos, exp, gamma, pi, sin, sqrt

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


class Stribeck:
    """(39), and the same with each slider weakened: then a slider of strength ϕ carries ϕ [θ + (1 − θ) e^…]. Table 1, θ = 0.75,
    v_S = 0.1 mm/s, δ_S = 2, F_V = 1 mN s/m. Branches after a reversal by (24), scaled by what very slow sliding has."""

    def __init__(self, printed):
        self.printed, self.dynamic, self.whole = printed, Backbone(K_T, F_S, CHI, BETA, 0.75), Backbone(K_T, F_S, CHI, BETA)
        self.end, self.c = self.dynamic.end, BETA + (CHI + 1) / (CHI + 2)
        self.static = self.force(self.end, 0.0)

    def force(self, u, speed):
        u = min(u, self.end)
        share, drop = (u / self.end) ** (CHI + 1), exp(-min((speed / 1e-4) ** 2, 700.0))
        if self.printed:
            return self.dynamic.force(u) + (F_S * 0.25 * drop + 1e-3 * speed) / self.c * share
        return self.dynamic.force(u) + drop * (self.whole.force(u) - self.dynamic.force(u)) + 1e-3 * speed * share

    def cycle_energy(self, amplitude, fastest, steps=100000):
        """Area of the loop of x = A cos ωt, A ω = fastest: every reversal comes from macroslip at rest, so that the branch
        down is F_static − 2 F((A − x)/2, |v|). Substituting x the integrand is smooth: midpoints."""
        total = 0.0
        for i in range(steps):
            angle = pi * (i + 0.5) / steps
            x, speed = amplitude * cos(angle), fastest * sin(angle)
            total += (self.static - 2 * self.force((amplitude - x) / 2, speed)) * sin(angle)
        return -2 * amplitude * pi / steps * total


def transient(backbone, pin, step=5e-7, end=0.05):
    """1 kg under 5 sin(2π 100 t) kN from rest, joint (24); Runge-Kutta of fourth order, reversals located. Where the force
    depends on the speed, the steps are small near reversals, where the speed passes v_S."""
    x, v, t, x0, f0, d = 0.0, 0.0, 0.0, 0.0, 0.0, 1.0
    limit, by_speed = backbone.static, isinstance(backbone, Stribeck)

    def sliding(x, v):
        g = (limit - d * f0) / limit
        if g <= 0:
            return f0
        u = max(d * (x - x0), 0.0) / g
        return f0 + d * g * (backbone.force(u, max(d * v, 0.0)) if by_speed else backbone.force(u))

    def rate(t, x, v):
        return 5e3 * sin(200 * pi * t) - sliding(x, v) - pinning(x, pin)

    def advance(t, x, v, h):
        a1 = rate(t, x, v)
        v2 = v + h / 2 * a1
        a2 = rate(t + h / 2, x + h / 2 * v, v2)
        v3 = v + h / 2 * a2
        a3 = rate(t + h / 2, x + h / 2 * v2, v3)
        a4 = rate(t + h, x + h * v3, v + h * a3)
        return x + h * v + h * h / 6 * (a1 + a2 + a3), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)

    marks, out = [0.01, 0.02, 0.03, 0.04, 0.05], []
    while len(out) < len(marks):
        h = min(step, marks[len(out)] - t)
        if by_speed:
            h = min(h, max(1e-9, 1e-5 * abs(v)))
        nx, nv = advance(t, x, v, h)
        if nv * d < 0:
            low, high = 0.0, h
            for _ in range(40):
                middle = (low + high) / 2
                low, high = (middle, high) if advance(t, x, v, middle)[1] * d >= 0 else (low, middle)
            nx, nv = advance(t, x, v, low)
            h = high
            x0, f0, d = nx, sliding(nx, 0.0), -d
            nv = 0.0
        t, x, v = t + h, nx, nv
        if t >= marks[len(out)] - 1e-12:
            out.append(x)
    return out


FOUR = Backbone(K_T, F_S, CHI, BETA)
FIVE = Backbone(K_T, F_S, CHI, BETA, 0.75)
UNIFORM = Uniform(F_S, FOUR.end)

# Brake-Reuß beam, section 4: K_T and ϕ_max as printed, and what (10) makes of them
MASS, BEAM_K, BEAM_CHI, BEAM_BETA, BEAM_END = 3.67, 1.1e6, -0.76, 0.16, 2e-3
BEAM_C = BEAM_BETA + (BEAM_CHI + 1) / (BEAM_CHI + 2)
CONSISTENT_FORCE = BEAM_K * BEAM_END * BEAM_C / (1 + BEAM_BETA)


def beam_energy(amplitude, force, beta):
    """(45)"""
    c = beta + (BEAM_CHI + 1) / (BEAM_CHI + 2)
    return 4 * (amplitude / BEAM_END) ** (BEAM_CHI + 3) * force**2 / BEAM_K * (
        (beta + 1) * (BEAM_CHI + 1) / (c**2 * (BEAM_CHI + 2) * (BEAM_CHI + 3)))


def beta_of(force):
    """(44)"""
    share = force / (BEAM_END * BEAM_K)
    return (share - (BEAM_CHI + 1) / (BEAM_CHI + 2)) / (1 - share)


def beam_energies():
    """Rows of beam_energies.csv: amplitude [µm], and the energies a cycle [mJ] that (45) gives with Table 2 as printed, with the slip
    force that (10) needs, and with the printed one and the β that (44) gives; three small amplitudes beside three others."""
    for first, second in ((5, 30), (10, 50), (20, 100)):
        yield [value for a in (first, second) for value in (
            a, *(1e3 * beam_energy(a * 1e-6, force, beta) for force, beta in (
                (400.0, BEAM_BETA), (CONSISTENT_FORCE, BEAM_BETA), (400.0, beta_of(400.0)))))]


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
    for form, law in (("printed", Stribeck(True)), ("consistent", Stribeck(False))):
        for name, rate in (("slow", 0.4e-6), ("middle", 40e-6), ("fast", 4e-3)):
            yield f"stribeck_{form}_{name}", law.force(law.end, rate) / 1e3
            yield f"W_{form}_{name}", law.cycle_energy(2.25e-3, rate)
        yield f"F_{form}", (law.static + pinning(2.25e-3, K_P)) / 1e3
        for time, x in zip((10, 20, 30, 40, 50), transient(law, K_P)):
            yield f"x_{form}_{time}", x * 1e3
    yield "beam_phi_max", BEAM_END * 1e3
    yield "beam_frequency", beam_frequency(100e-6)
    yield "beam_energy", 1e3 * beam_energy(100e-6, CONSISTENT_FORCE, BEAM_BETA)
    # (3) with (2): bolt and beam of steel, 200 GPa and 0.3, over the 25.4 mm of Fig. 13; neither is said in the text
    yield "beam_K_P_3", pi / 4 * 200e9 / (2 * (1 - 0.3**2)) * 0.0254 / 1e6
    yield "beam_force_43", BEAM_END * MASS * (2 * pi * 213) ** 2 / 1e3


if __name__ == "__main__":
    for name, value in values():
        print(f"{name} {value:.10g}")
