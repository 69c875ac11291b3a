# Ends the server in the folder $1, and removes the folder, when the process at
# the other end of the standard input has ended.
trap '' INT TERM HUP
cat >/dev/null
pid=$1/data/postmaster.pid
tries=0
while [ -e "$pid" ] && [ "$tries" -lt 100 ]; do
  n=$(head -n 1 "$pid")
  # The process of that number may be another one by now.
  case $(ps -o args= -p "$n" 2>/dev/null || tr '\0' ' ' <"/proc/$n/cmdline" 2>/dev/null) in
    *"$1/data"*) ;;
    *) break ;;
  esac
  [ "$tries" -gt 0 ] || { kill -QUIT "$n"; kill -CONT "$n"; } # it kills its own after 5 s
  [ "$tries" -lt 80 ] || kill -KILL "$n"
  sleep 0.1
  tries=$((tries + 1))
done
# The memory of one that was killed: line 7 has its key and its number.
memory=$(sed -n 7p "$pid" 2>/dev/null)
[ -z "$memory" ] || ipcrm -m "${memory##* }" 2>/dev/null
rm -rf "$1" || { sleep 1; rm -rf "$1"; }
