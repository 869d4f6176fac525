"""Values that the publication does not print, from its printed equations and parameters.

    python3 evaluate.py

Prints `id value` for every row of published.csv whose origin is "evaluated", in the unit of that row. Nothing of Masing is
used. Equation numbers are those of Jamshidi and Ahmadian (2024); (6) has 2 − ν in both terms, moduli are in GPa.
"""

from math import cos, exp, pi, sqrt

NODES = 400


def integral(f, low, high):
    """Gauss's rule of two points on NODES equal parts, with z = low + t²: (z − low)^(−1/2) does no harm."""
    width = sqrt(high - low) / NODES
    total = 0.0
    for i in range(NODES):
        for offset in (0.5 - 0.5 / sqrt(3), 0.5 + 0.5 / sqrt(3)):
            t = (i + offset) * width
            total += 2 * t * f(low + t * t)
    return total * width / 2


class Interface:
    """Two alike surfaces: σ, R, η of each; Gaussian heights of the summits up to 3σ of both."""

    def __init__(self, sigma, radius, eta, area, e, nu, mu, combined=False):
        self.sigma = sigma if combined else sqrt(2) * sigma
        self.radius = radius if combined else radius / 2
        self.number, self.mu, self.top = eta * area, mu, 3 * self.sigma
        modulus = e / (2 * (1 - nu * nu))
        self.shear = e / (2 * (1 + nu)) / (2 * (2 - nu))
        self.k = 4 / 3 * modulus * sqrt(self.radius)
        self.slip = mu * (2 - nu) / (2 - 2 * nu)  # λ

    def density(self, z):
        return exp(-0.5 * (z / self.sigma) ** 2) / (self.sigma * sqrt(2 * pi))

    def moment(self, y, power, low=None, high=None):
        """number · ∫ (z − y)^power Φ dz"""
        low, high = y if low is None else low, self.top if high is None else high
        if high <= low:
            return 0.0
        return self.number * integral(lambda z: (z - y) ** power * self.density(z), low, high)

    def force(self, y):
        return self.k * self.moment(y, 1.5)

    def separation(self, load):
        low, high = -3 * self.sigma, self.top
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if self.force(middle) > load else (low, middle)
        return low

    def stiffness(self, y, x=0.0):
        """−(μ/λ) P'(y + x/λ): the stiffness that remains at x, ∫ₓ^∞ of the Iwan density"""
        return self.mu / self.slip * 1.5 * self.k * self.moment(y + x / self.slip, 0.5)

    def virgin(self, y, x):
        return self.mu * (self.force(y) - self.force(y + x / self.slip))

    def energy(self, y, x):
        """8 ∫₀ˣ Q − 4 x Q(x); ∫ P is (2/5) K times the moment of 5/2."""
        area = lambda s: 0.4 * self.k * self.moment(s, 2.5)
        inner = self.mu * (x * self.force(y) - self.slip * (area(y) - area(y + x / self.slip)))
        return 8 * inner - 4 * x * self.virgin(y, x)

    def elements(self, y, regions, annuli):
        """(40) to (57): stiffness and slip force of each Jenkins element, as printed"""
        for n in range(regions):
            low = y + (self.top - y) * n / regions
            high = y + (self.top - y) * (n + 1) / regions
            force = self.k * self.moment(y, 1.5, low, high)
            stiffness = 8 * self.shear * sqrt(self.radius) * self.moment(y, 0.5, low, high)
            for m in range(annuli):
                inner, outer = m / annuli, (m + 1) / annuli
                yield stiffness / annuli, self.mu * force * ((1 - inner**2) ** 1.5 - (1 - outer**2) ** 1.5)

    def area_error(self, y, regions, annuli, x):
        total = sum(4 * f * (x - f / k) for k, f in self.elements(y, regions, annuli) if k * x > f)
        return total / self.energy(y, x) - 1

    def curvature(self, y, x=0.0):
        """(66): (μ/λ²) P''(y + x/λ), the Iwan density at x; z = y + x/λ + t²"""
        low = y + x / self.slip
        inner = integral(lambda t: 2 * self.density(low + t * t), 0.0, sqrt(self.top - low))
        return self.mu / self.slip**2 * 0.75 * self.k * self.number * inner

    def binned_error(self, y, count, x):
        """The curve itself in even bins up to x_L: stiffness Q'(a) − Q'(b), slip force that of Q − xQ' between a and b."""
        edges = [self.slip * (self.top - y) * j / count for j in range(count + 1)]
        tangents = [self.stiffness(y, edge) for edge in edges]
        slid = [self.virgin(y, edge) - edge * tangent for edge, tangent in zip(edges, tangents)]
        elements = [(tangents[j] - tangents[j + 1], slid[j + 1] - slid[j]) for j in range(count)]
        total = sum(4 * f * (x - f / k) for k, f in elements if k * x > f)
        return total / self.energy(y, x) - 1


class Asperity:
    """Two spheres, Figs. 7 to 9: displacement over x_slip, force over the friction limit. Mindlin's solution is (13)."""

    @staticmethod
    def elements(annuli):
        """(37) to (39) for annuli of equal width, the outermost last; stiffness and slip force. asperity.toml has them."""
        for m in range(annuli):
            yield 1.5 / annuli, (1 - (m / annuli) ** 2) ** 1.5 - (1 - ((m + 1) / annuli) ** 2) ** 1.5

    @staticmethod
    def energy(x):
        """8 ∫₀ˣ Q − 4 x Q(x), Q = 1 − (1 − x)^(3/2) up to x = 1"""
        s = max(1 - x, 0.0)
        return 8 * (x - 0.4 * (1 - s**2.5)) - 4 * x * (1 - s**1.5)

    def area_error(self, annuli, x):
        return sum(4 * f * (x - f / k) for k, f in self.elements(annuli) if k * x > f) / self.energy(x) - 1


class DrivenBlock:
    """M x'' + c x' + K_s x + Q = F cos ωt, marched by central differences; Q by Masing's rules from a table of the virgin curve."""

    MASS, SPRING = 2.0, 3.2e5
    DAMPING = 2 * 0.005 * sqrt(SPRING * MASS)

    def __init__(self, interface, load, cells=4000):
        y = interface.separation(load)
        self.end = interface.slip * (interface.top - y)
        self.cell = self.end / cells
        self.table = [interface.virgin(y, i * self.cell) for i in range(cells)] + 2 * [interface.mu * load]

    def virgin(self, x):
        if x >= self.end:
            return self.table[-1]
        i = int(x / self.cell)
        return self.table[i] + (x / self.cell - i) * (self.table[i + 1] - self.table[i])

    def friction(self, x):
        """Force of the interface at x, and its memory brought up to date: turning points (x, Q), the oldest first."""
        turns = self.turns
        way = 1 if x > self.last else -1
        if way != self.way and x != self.last:
            turns.append((self.last, self.last_force))
            self.way = way
        while len(turns) >= 2 and (x - turns[-2][0]) * way >= 0:
            del turns[-2:]  # a loop has closed
        if len(turns) == 1 and abs(x) >= abs(turns[0][0]):
            turns.clear()
        force = (turns[-1][1] + 2 * way * self.virgin(abs(x - turns[-1][0]) / 2)) if turns else way * self.virgin(abs(x))
        self.last, self.last_force = x, force
        return force

    def steady(self, force, frequency, periods=20, steps=24000):
        """Half the way between the extremes, and energy of the interface, in the last period; the load rises over half of them"""
        self.turns, self.last, self.last_force, self.way = [], 0.0, 0.0, 1
        dt = 1 / (frequency * steps)
        x = before = high = low = work = 0.0
        for i in range(periods * steps):
            friction = self.friction(x)
            load = min(1.0, 2 * i / (periods * steps)) * force * cos(2 * pi * i / steps)
            rest = load - friction - self.SPRING * x - self.DAMPING * (x - before) / dt
            x, before = 2 * x - before + dt * dt / self.MASS * rest, x
            if i >= (periods - 1) * steps:
                high, low = max(high, x), min(low, x)
                work += friction * (x - before)
        return (high - low) / 2, work


def from_profile(rq, rsm, rpc, area, e, nu, mu):
    """Spectral moments of two alike profiles, and McCool's summits of an isotropic Gaussian surface."""
    m0 = 2 * rq**2
    m2 = m0 * (2 * pi / rsm) ** 2
    m4 = m2 * (2 * pi * rpc) ** 2
    alpha = m0 * m4 / m2**2
    sigma = sqrt(m0) * sqrt(1 - 0.8968 / alpha)
    return Interface(sigma, 3 * sqrt(pi) / (8 * sqrt(m4)), m4 / m2 / (6 * pi * sqrt(3)), area, e, nu, mu, combined=True)


DRIVEN = [(4.5, 65), (6.0, 65), (6.0, 60), (6.0, 75)]  # N, Hz: Figs. 23 and 24
PAIRS = [(3, 7), (7, 3), (7, 7), (3, 10), (1, 30)]
PLATES = Interface(1e-6, 200e-6, 250e6, 5e-4, 200e9, 0.3, 0.45)
BLOCKS = Interface(0.85e-6, 170e-6, 210e6, 1e-2, 70e9, 0.3, 0.26)
SUPPORT = from_profile(5.9e-6, 300e-6, 5100, 1e-4, 200e9, 0.3, 0.45)


def values():
    y = PLATES.separation(100.0)
    end = PLATES.slip * (PLATES.top - y)
    yield "K_T", PLATES.stiffness(y) / 1e6
    yield "x_L", end * 1e6
    for share in (0.25, 0.5, 0.75):
        yield f"left_{share:g}", PLATES.stiffness(y, share * end) / PLATES.stiffness(y)
    yield "y", y * 1e6
    yield "asperities", PLATES.moment(y, 0.0)
    for share in (0.1, 0.25, 0.5, 0.75):
        yield f"density_{share:g}", PLATES.curvature(y, share * end) / PLATES.stiffness(y) ** 2
    yield "D_small", 2 / 3 * PLATES.curvature(y) * (end / 1000) ** 3 * 1e9
    for share in (0.5, 1.5):
        yield f"D_{share:g}", PLATES.energy(y, share * end) * 1e6
    for n, m in PAIRS:
        for share in (0.5, 1.5):
            yield f"error_{n}x{m}_{share:g}", PLATES.area_error(y, n, m, share * end) * 100
    yield "error_1x30_0.75", PLATES.area_error(y, 1, 30, 0.75 * end) * 100
    for share in (0.5, 1.5):
        yield f"error_21_{share:g}", PLATES.binned_error(y, 21, share * end) * 100
    for annuli in (3, 7, 15):
        for share in (0.5, 1.5):
            yield f"asperity_{annuli}_{share:g}", Asperity().area_error(annuli, share) * 100
    y = BLOCKS.separation(19.62)
    yield "blocks_K_T", BLOCKS.stiffness(y) / 1e6
    yield "blocks_x_L", BLOCKS.slip * (BLOCKS.top - y) * 1e6
    block = DrivenBlock(BLOCKS, 19.62)
    for force, frequency in DRIVEN:
        peak, work = block.steady(force, frequency)
        yield f"driven_peak_{force:g}_{frequency}", peak * 1e6
        yield f"driven_energy_{force:g}_{frequency}", work * 1e6
    y = SUPPORT.separation(147.0)
    yield "support_rotation", SUPPORT.slip * (SUPPORT.top - y) / 0.005
    yield "support_K_T", SUPPORT.stiffness(SUPPORT.separation(147.0)) / 1e6


if __name__ == "__main__":
    for name, value in values():
        print(f"{name} {value:.10g}")
