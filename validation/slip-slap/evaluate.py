"""Values that the publication does not print, from its printed equations and parameters.

    python3 evaluate.py

Prints `id value` for every row of published.csv whose origin is "evaluated", in the unit of that row. Nothing of Masing is
used. Equations are those of Ahmadian and Mohammadali (2016), with sgn of the velocity in (8b), (12), (13), and "loading"
in (4) and (14) read as w ≥ w_max.
"""

from math import cos, exp, hypot, pi, sin

STEPS = 16384  # a period; reversals and the instants asked for are among the samples


class Contact:
    """(13) to (15): tangential motion u, penetration w > 0, never separated here"""

    def __init__(self, n, m, c_p, c_q, k_n, c_k):
        self.n, self.m, self.c_p, self.c_q, self.k_n, self.c_k = n, m, c_p, c_q, k_n, c_k

    def cycle(self, u, w, cycles=6):
        """Normal and tangential force at the samples of the last of some periods."""
        slide, held, start, deepest, sign = 0.0, 0.0, u[0], 0.0, -1.0
        p, q = [], []
        for number in range(cycles * STEPS + 1):
            i = number % STEPS
            velocity = u[i] - u[i - 1]
            if number > 0 and velocity * sign < 0:  # the sample before was the reversal
                start, held, sign = u[i - 1], slide, -sign
            k_t = self.n * self.c_k * self.c_p ** (1 - self.m) / (self.c_q * w[i] ** (1 - self.n * (1 - self.m)))
            slide = sign - (sign - held) * exp(-k_t * abs(u[i] - start))
            deepest = w[i] if abs(slide) >= 0.99 else max(deepest, w[i])
            delta = exp(-self.k_n * (deepest - w[i]))
            pressure = self.c_p * w[i] ** self.n * (delta + (1 - delta) * abs(slide))
            if number >= (cycles - 1) * STEPS:
                p.append(pressure)
                q.append(self.c_q * pressure**self.m * slide)
        return p, q


def loop_area(f, x):
    return sum((f[i] + f[i + 1]) / 2 * (x[i + 1] - x[i]) for i in range(STEPS))


# Fig. 8: u = 2 sin(t + 5π/8), w = 3 + 2.5 sin t; counted from the largest u, τ = t + π/8.
TAU = [2 * pi * i / STEPS for i in range(STEPS + 1)]
U = [2 * cos(tau) for tau in TAU]
W = [3 + 2.5 * cos(tau - 5 * pi / 8) for tau in TAU]


def rod_end(law, cells=100, periods=200):
    """(16) with Table 1 and L = π, marched in time: central differences, 2.25 steps a cell and half-period. Amplitude of the first
    harmonic of the loaded end, mean of the last half of the periods. Free vibration, which friction alone damps slowly, is
    taken out by a viscous force that fades away in the first half. 50 cells: 0.0002 and 0.0007 away, 200: 0.0001 and 0.0002."""
    width, steps = pi / cells, 4 * round(2.25 * cells / 4)
    h = 2 * pi / steps
    courant, inner = (h / width) ** 2, range(1, cells)
    now, before = [0.0] * (cells + 1), [0.0] * (cells + 1)
    limit = [0.26 * sin(i * width) for i in range(cells + 1)]
    sign, start, held, slide = [1.0] * (cells + 1), [0.0] * (cells + 1), [0.0] * (cells + 1), [0.0] * (cells + 1)

    def slip_slap(i):
        if (now[i] - before[i]) * sign[i] < 0:
            start[i], held[i], sign[i] = before[i], slide[i], -sign[i]
        slide[i] = sign[i] - (sign[i] - held[i]) * exp(-2.8 / limit[i] * abs(now[i] - start[i]))
        return limit[i] * slide[i]

    def menq(i):
        slide[i] = min(max(slide[i] + 2.8 * (now[i] - before[i]), -limit[i]), limit[i])
        return slide[i]

    friction = slip_slap if law == "slip-slap" else menq
    count, cosine, sine = 0, 0.0, 0.0
    for number in range(periods * steps):
        after = [0.0] * (cells + 1)
        after[0] = 2 * now[0] - before[0] + 2 * courant * (now[1] - now[0]) - 2 * h * h / width * 0.01 * now[0]
        for i in inner:
            after[i] = 2 * now[i] - before[i] + courant * (now[i + 1] - 2 * now[i] + now[i - 1]) - h * h * friction(i)
        after[-1] = 2 * now[-1] - before[-1] + 2 * courant * (now[-2] - now[-1]) + 2 * h * h / width * 0.2 * cos(number * h)
        fading = 0.1 * h * max(0.0, 1 - 2 * number / (periods * steps))
        if fading > 0:
            after = [a - fading * (b - c) for a, b, c in zip(after, now, before)]
        else:
            count, cosine, sine = count + 1, cosine + now[-1] * cos(number * h), sine + now[-1] * sin(number * h)
        before, now = now, after
    return 2 / count * hypot(cosine, sine)


def parabola(force):
    """The null test: f = a − b F² through load cases 1 and 6"""
    (f1, p1), (f6, p6) = (42.48, 121.0), (42.11, 278.0)
    b = (f1 - f6) / (p6**2 - p1**2)
    return f1 - b * (force**2 - p1**2)


FORCES = [121, 170, 198, 217, 246, 278, 318, 364, 384]


def values():
    for name, k_n in (("elastic", 0.0), ("losing", 0.5)):
        p, q = Contact(1.0, 1.0, 4.0, 0.26, k_n, 0.7).cycle(U[:-1], W[:-1])
        if name == "elastic":
            for i, label in enumerate(("0", "1", "2", "3")):
                yield f"Q_{label}", q[STEPS // 16 + i * STEPS // 4]
        yield f"{name}_Q", loop_area(q, U)
        yield f"{name}_P", loop_area(p, W)
    yield "rod_end", round(rod_end("slip-slap"), 4)  # the digits it is good for
    yield "rod_end_menq", round(rod_end("menq"), 4)


if __name__ == "__main__":
    for name, value in values():
        print(f"{name} {value if abs(value) > 1e-9 else 0.0:.10g}")
