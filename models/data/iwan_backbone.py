"""Makes iwan_backbone.csv: phase resonance of an oscillator on a four-parameter Iwan joint, as a test rig would measure it.

    python3 iwan_backbone.py > iwan_backbone.csv

Nothing of Masing is used. With one harmonic the joint is a spring K'(A) and a dashpot K''(A)/omega (describing function of
the exact law, A below macroslip), so that in phase resonance

    m omega^2 = k + K'(A),      F = (c omega + K''(A)) A.

Noise: 0.02 % on the frequency, 1 % on the force, from a fixed seed.
"""

import math
import random

MASS, STIFFNESS, DAMPING_RATIO = 1.0, 4.0e5, 0.0005
STICK, SLIP_FORCE, CHI, BETA = 2.2e5, 18.0, -0.4, 0.5
POINTS = 14

ratio = BETA + (CHI + 1.0) / (CHI + 2.0)
macroslip = SLIP_FORCE * (1.0 + BETA) / (STICK * ratio)
density = SLIP_FORCE * (CHI + 1.0) / (macroslip ** (CHI + 2.0) * ratio)
damping = 2.0 * DAMPING_RATIO * math.sqrt(STIFFNESS * MASS)

random.seed(20)
print("# made by iwan_backbone.py; amplitude in um, frequency in Hz, force in N")
print("amplitude,frequency,force")
for i in range(POINTS):
    amplitude = macroslip * 10.0 ** (-2.5 + 2.45 * i / (POINTS - 1))
    p = CHI + 2.0
    gammas = math.gamma(p + 0.5) / math.gamma(p + 1.0)
    softening = 4.0 / math.sqrt(math.pi) * density / ((CHI + 1.0) * p) * amplitude ** (CHI + 1.0) * p / (p + 1.0) * gammas
    loss = 4.0 * density * amplitude ** (CHI + 1.0) / (math.pi * p * (p + 1.0))
    omega = math.sqrt((STIFFNESS + STICK - softening) / MASS)
    force = (damping * omega + loss) * amplitude
    frequency = omega / (2.0 * math.pi) * (1.0 + 2e-4 * random.gauss(0.0, 1.0))
    force *= 1.0 + 1e-2 * random.gauss(0.0, 1.0)
    print(f"{1e6 * amplitude:.6g},{frequency:.6g},{force:.6g}")
