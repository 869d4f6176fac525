"""Values that the publication does not print, from its printed equations and parameters.

    python3 evaluate.py

Prints `id value` for every row of published.csv whose origin is "evaluated", in the unit of that row. Nothing of Masing is
used; equation numbers are those of Li et al. (2020).
"""

from math import sqrt

# Table 1 and equation (23)
G, NU, MU, A, N = 27e9, 0.33, 0.5, 2e-3, 500.0
LIMIT = MU * N
K_T = 8 * G * A / (2 - NU)


def mindlin_displacement(force):
    """(9)"""
    return 3 * (2 - NU) * LIMIT / (16 * G * A) * (1 - (1 - force / LIMIT) ** (2 / 3))


def mindlin_unloading(force, peak):
    """(10), first case"""
    return 3 * (2 - NU) * LIMIT / (16 * G * A) * (
        2 * (1 - (peak - force) / (2 * LIMIT)) ** (2 / 3) - (1 - peak / LIMIT) ** (2 / 3) - 1)


def mindlin_energy(force):
    """(11)"""
    t = force / LIMIT
    return 9 * (2 - NU) * LIMIT**2 / (10 * G * A) * (
        1 - (1 - t) ** (5 / 3) - 5 * t / 6 * (1 + (1 - t) ** (2 / 3)))


def mindlin_small_energy(force):
    """(12)"""
    return (2 - NU) * force**3 / (36 * G * A * LIMIT)


def force_at_zero(peak):
    """Unloading force where the displacement is zero, by bisection of (10)."""
    low, high = -peak, peak
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if mindlin_unloading(middle, peak) < 0 else (low, middle)
    return low


def flat_force(d, gamma):
    """Table 2 in units of μN and μN/k_t."""
    if d <= min(gamma, 3 - 2 * gamma):
        return d
    if d >= max(gamma, 3 - 2 * gamma):
        return 1.0
    root = sqrt((d - gamma) / (3 * (1 - gamma)))
    return d - 2 / 3 * (d - gamma) * root if gamma < 1 else 1 - 2 / 3 * (gamma - d) * root


def flat_integral(d, gamma):
    """∫₀ᵈ of flat_force, in closed form."""
    first, last = min(gamma, 3 - 2 * gamma), max(gamma, 3 - 2 * gamma)
    if d <= first:
        return d * d / 2
    if d > last:
        return flat_integral(last, gamma) + (d - last)
    slope = 3 * abs(1 - gamma)
    if gamma < 1:
        return d * d / 2 - 4 / 15 * (d - gamma) ** 2.5 / sqrt(slope)
    part = lambda x: x + 4 / 15 * (gamma - x) ** 2.5 / sqrt(slope)
    return first * first / 2 + part(d) - part(first)


def flat_energy(d, gamma):
    """Masing's rules: W = 8 ∫ F − 4 d F(d)."""
    return 8 * flat_integral(d, gamma) - 4 * d * flat_force(d, gamma)


def pad(load, k, alpha, mu, gamma, amplitude):
    """Peak force and energy with a residual spring α k beside the sliding part of stiffness (1 − α) k."""
    limit, sliding = mu * load, (1 - alpha) * k
    d = sliding * amplitude / limit
    return alpha * k * amplitude + limit * flat_force(d, gamma), limit**2 / sliding * flat_energy(d, gamma)


FORCES = [1, 50, 100, 150, 200, 225, 250]
SWEEP = {0.8: [0, 0.2, 0.5, 0.8, 1, 1.1, 1.3, 1.5], 2.0: [0, 0.2, 0.5, 0.8, 1, 1.2, 1.4, 1.5]}
# Fig. 14: amplitude, and the γ of the largest energy at that amplitude (to three digits, where the curve is flat)
LARGEST = {0.8: 0.268, 1.0: 0.375, 1.2: 0.542, 1.25: 1.0, 2.0: 1.0}
GAMMAS = [0, 0.2, 0.5, 0.8, 1, 1.2, 1.4, 1.5]
PADS = {87: (30.5e6, 0.0427, 0.48, 10e-6), 164: (113.7e6, 0.0, 0.68, 20e-6), 254: (133.7e6, 0.0445, 0.65, 30e-6)}


def values():
    yield "k_t", K_T / 1e6
    for force in FORCES[1:]:
        yield f"W_{force}", mindlin_energy(force) * 1e6
        yield f"K_{force}", force / mindlin_displacement(force) / 1e6
    yield "W_small", mindlin_small_energy(1) * 1e6
    yield "T0_200", force_at_zero(200)
    for amplitude, gammas in SWEEP.items():
        for gamma in gammas:
            yield f"flat_{amplitude:g}_{gamma:g}", flat_energy(amplitude, gamma)
    for amplitude, best in LARGEST.items():
        largest = flat_energy(amplitude, best)
        assert all(flat_energy(amplitude, i / 1000) <= largest * (1 + 1e-5) for i in range(1501))
        for gamma in GAMMAS:
            yield f"share_{amplitude:g}_{gamma:g}", flat_energy(amplitude, gamma) / largest
    for load, (k, alpha, mu, amplitude) in PADS.items():
        force, energy = pad(load, k, alpha, mu, 0.2, amplitude)
        yield f"pad_{load}_force", force
        yield f"pad_{load}_energy", energy * 1e3


if __name__ == "__main__":
    for name, value in values():
        print(f"{name} {value:.10g}")
