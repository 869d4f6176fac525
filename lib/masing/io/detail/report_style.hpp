// Style and script of the report page. The script only switches between two drawn pictures and reads points back from
// the paths, so the page is complete without it.
#pragma once

namespace masing::detail {

inline constexpr const char* report_style = R"css(
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, 'DejaVu Sans', sans-serif; color: #1f2933; background: #f4f6f8; margin: 0; }
main { max-width: 940px; margin: 0 auto; padding: 24px 20px 60px; }
h1 { font-size: 26px; margin: 8px 0 2px; }
h2 { font-size: 20px; margin: 36px 0 8px; }
h3 { font-size: 16px; margin: 22px 0 6px; }
.meta { color: #5b6773; font-size: 13px; margin: 0 0 16px; }
figure, .card { background: #fff; border: 1px solid #dde2e7; border-radius: 8px; margin: 12px 0; padding: 12px 14px; }
figure svg { max-width: 100%; height: auto; display: block; } figure { position: relative; }
figure[data-scale=lin] .log, figure[data-scale=log] .lin { display: none; }
figure button { position: absolute; right: 16px; top: 12px; font: inherit; font-size: 12px;
  padding: 2px 10px; cursor: pointer; border: 1px solid #b6bfc8; border-radius: 5px; background: #f4f6f8; }
figcaption { font-size: 12.5px; color: #5b6773; min-height: 1.5em; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; font-variant-numeric: tabular-nums; }
th { text-align: left; color: #5b6773; font-weight: 600; border-bottom: 1px solid #b6bfc8; padding: 4px 10px 4px 0; }
td { border-bottom: 1px solid #e8ecef; padding: 4px 10px 4px 0; vertical-align: top; }
pre { white-space: pre; overflow-x: auto; margin: 8px 0;
  font: 12.5px/1.45 ui-monospace, 'DejaVu Sans Mono', monospace; }
summary { cursor: pointer; color: #0b5c8f; } .warn { background: #fff6e0; border-color: #e6b84c; }
)css";

inline constexpr const char* report_script = R"js(
document.querySelectorAll('figure').forEach(f => {
  const note = f.querySelector('figcaption'), text = note ? note.textContent : '', b = f.querySelector('button');
  if (b) b.onclick = () => {
    f.dataset.scale = f.dataset.scale === 'lin' ? 'log' : 'lin';
    b.textContent = f.dataset.scale === 'lin' ? 'log scale' : 'linear scale';
  };
  f.querySelectorAll('svg').forEach(s => {
    const d = s.dataset, [x0, x1] = d.x.split(' ').map(Number), [y0, y1] = d.y.split(' ').map(Number);
    const [xu, yu] = d.units.split('|'), L = +d.left, T = +d.top, W = +d.width, H = +d.height;
    const curves = [...s.querySelectorAll('path.curve')].map(p => ({ label: p.dataset.label,
      colour: p.getAttribute('stroke'),
      points: (p.getAttribute('d').match(/[-\d.]+ [-\d.]+/g) || []).map(q => q.split(' ').map(Number)) }));
    const dot = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    dot.setAttribute('r', 5); dot.setAttribute('fill', 'none'); dot.setAttribute('stroke-width', 2);
    dot.style.display = 'none';
    s.appendChild(dot);
    s.onmousemove = e => {
      const box = s.getBoundingClientRect(), k = s.viewBox.baseVal.width / box.width;
      const mx = (e.clientX - box.left) * k, my = (e.clientY - box.top) * k;
      let best = null, least = Infinity;
      for (const c of curves) for (const [px, py] of c.points) {
        const r = (px - mx) ** 2 + (py - my) ** 2;
        if (r < least) { least = r; best = { c, px, py }; }
      }
      if (!best) return;
      const r = (best.px - L) / W, t = 1 - (best.py - T) / H;
      const x = d.logX === '1' ? x0 * Math.pow(x1 / x0, r) : x0 + (x1 - x0) * r;
      const y = d.log === '1' ? y0 * Math.pow(y1 / y0, t) : y0 + (y1 - y0) * t;
      dot.setAttribute('cx', best.px); dot.setAttribute('cy', best.py); dot.setAttribute('stroke', best.c.colour);
      dot.style.display = '';
      if (note) note.textContent = (best.c.label ? best.c.label + ': ' : '') +
        x.toPrecision(5) + ' ' + xu + ', ' + y.toPrecision(4) + ' ' + yu;
    };
    s.onmouseleave = () => { dot.style.display = 'none'; if (note) note.textContent = text; };
  });
});
)js";

}  // namespace masing::detail
