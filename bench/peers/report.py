"""The table and the picture of a comparison."""
import os
import platform
import shutil
import statistics
import subprocess
import sys

from workloads import WORKLOADS

RESULTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'results')


class Line:
    def __init__(self, workload, source, rows, figures):
        self.workload, self.source, self.rows, self.figures = workload, source, rows, figures
        self.medians = {peer: statistics.median(f['seconds']) for peer, f in figures.items() if f['seconds']}

    def ratio(self, peer):
        return self.medians[peer] / self.medians['oriel'] if peer in self.medians and 'oriel' in self.medians else None

    def fastest(self):
        """Of the peers whose result was kept or written: Flink's is thrown away."""
        others = {p: s for p, s in self.medians.items() if p not in ('oriel', 'flink')}
        return min(others, key=others.get) if others else None


def processor():
    with open('/proc/cpuinfo') as f:
        lines = dict(line.split(':', 1) for line in f.read().splitlines() if ':' in line)
    named = {k.strip(): v.strip() for k, v in lines.items()}
    widest = next((f for f in ('avx512f', 'avx2', 'sse4_2') if f in named.get('flags', '').split()), platform.machine())
    return '%s with %s' % (named.get('model name', platform.machine()), widest)


def versions(peers):
    import importlib.metadata
    found = []
    for peer in peers:
        try:
            found.append('%s %s' % (peer, importlib.metadata.version(peer)))
        except importlib.metadata.PackageNotFoundError:
            pass
    return ', '.join(found)


def peer_order(lines):
    seen = []
    for line in lines:
        seen += [p for p in line.figures if p not in seen]
    return seen


def row_of(cells):
    return '| ' + ' | '.join(cells) + ' |'


def table(lines, arguments):
    others = [p for p in peer_order(lines) if p != 'oriel']
    compared = [p for p in others if p != 'flink']
    head = ['%s, %d threads, %d rows, medians of %d runs in turn; %s' % (processor(), arguments.threads, arguments.rows, arguments.runs, versions(others)), '',
            'Seconds of Oriel, then how many times as long each peer took, then peak memory.', '']
    rows = [row_of(['workload', 'from', 'rows out', 'oriel s', *['%s x' % p for p in others], 'fastest peer', 'oriel MB', *['%s MB' % p for p in compared]]),
            row_of(['---', '---', '---:', '---:', *['---:'] * len(others), '---', '---:', *['---:'] * len(compared)])]
    for line in lines:
        figures = {p: line.figures.get(p, {'peak': 0, 'why': ''}) for p in ['oriel', *others]}
        times = ['%.1f' % line.ratio(p) if line.ratio(p) else figures[p]['why'] or '' for p in others]
        fastest = line.fastest()
        rows.append(row_of(['%s %s' % (line.workload, WORKLOADS[line.workload].title), line.source, str(line.rows),
                            '%.3f' % line.medians['oriel'] if 'oriel' in line.medians else '', *times,
                            '%s, %.1f x' % (fastest, line.ratio(fastest)) if fastest and line.ratio(fastest) else '',
                            *['%.0f' % figures[p]['peak'] if figures[p]['peak'] else '' for p in ['oriel', *compared]]]))
    return '\n'.join(head + rows) + '\n'


def picture(lines, path):
    """Bars of how many times as long each peer took; Oriel is 1."""
    peers = [p for p in peer_order(lines) if p not in ('oriel', 'flink')]
    if not peers:
        return
    rows = ['workload ' + ' '.join(peers)]
    for line in lines:
        rows.append('"%s %s" ' % (line.workload, line.source) + ' '.join('%.2f' % line.ratio(p) if line.ratio(p) else '?' for p in peers))
    script = '''set terminal svg size %d,420 font "sans,12" background "white"
set output "%s"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.85 border -1
set ylabel "times the time of Oriel"
set yrange [0:]
set grid ytics
set key outside top center horizontal
set datafile missing "?"
plot 1 title "Oriel" with lines lw 2 lc rgb "black", %s
''' % (max(720, 40 + 90 * len(lines)), path, ', '.join('$data using %d:xtic(1) title columnheader' % (i + 2) for i in range(len(peers))))
    text = '$data << end\n' + '\n'.join(rows) + '\nend\n' + script
    subprocess.run(['gnuplot'], input=text, text=True, check=True)


def write(lines, arguments):
    text = table(lines, arguments)
    print(text)
    if not arguments.out:
        return
    os.makedirs(RESULTS, exist_ok=True)
    stem = os.path.join(RESULTS, arguments.out)
    command = './dev bench peers --workloads %s --peers %s --sources %s --threads %d --runs %d --rows %d%s' % (
        arguments.workloads, arguments.peers, arguments.sources, arguments.threads, arguments.runs, arguments.rows, ' --flink' if arguments.flink else '')
    with open(stem + '.md', 'w') as f:
        f.write('    %s\n\n%s' % (command, text))
    if shutil.which('gnuplot'):
        picture(lines, stem + '.svg')
    else:
        print('no gnuplot: no picture', file=sys.stderr)
