#!/bin/sh
# Makes convergence.dat and convergence.svg: errors of `carom simulate` against the tolerance asked for, and against
# the number of steps that it took. The error is that of event times, the largest over the run, relative to the
# time of the run; what it is measured against is the run at tolerance 1e-13.
#
#   docs/pictures/convergence.sh [COMMAND]     COMMAND: ./run by default
set -eu
cd "$(dirname "$0")/../.."
carom=${1:-./run}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
data=docs/pictures/convergence.dat

# follow FILE END TOLERANCE: event times into $out/times, the number of steps into $steps
follow() {
  "$carom" simulate "$1" -q --end "$2" --tolerance "$3" --force --out "$out/run"
  tail -n +2 "$out/run/events.csv" | cut -d, -f1 > "$out/times"
  steps=$(sed -n 's/^counts = \[.*, \([0-9]*\)\.0\]$/\1/p' "$out/run/progress.toml")
}

echo "# tolerance, steps, error of event times over the time of the run; made by docs/pictures/convergence.sh" > $data
for scene in disc-ball-7:0.6 double-pendulum:1.5 sliding-block:0.42; do
  file=examples/motion/${scene%%:*}.toml
  end=${scene##*:}
  follow "$file" "$end" 1e-13
  mv "$out/times" "$out/exact"
  printf '\n\n"%s"\n' "${scene%%:*}" >> $data
  for exponent in 4 5 6 7 8 9 10 11 12; do
    for digit in 3 1; do
      tolerance=${digit}e-$exponent
      follow "$file" "$end" "$tolerance"
      # Events that differ in number have no error that means anything; they are left out.
      [ "$(wc -l < "$out/times")" = "$(wc -l < "$out/exact")" ] || continue
      paste -d' ' "$out/times" "$out/exact" | awk -v tolerance="$tolerance" -v steps="$steps" -v end="$end" '
        { d = $1 - $2; if (d < 0) d = -d; if (d > most) most = d }
        END { if (most > 0) printf "%s %d %.3e\n", tolerance, steps, most/end }' >> $data
    done
  done
done
gnuplot docs/pictures/convergence.gp
