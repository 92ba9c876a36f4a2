#!/usr/bin/env bash
# A wrapper of rustc (RUSTC_WRAPPER): only what bytes go through on their way to a ledger is watched
# by the fuzzer. The frame's own crates take most of a build and hold most of its branches, and none
# of them sees a byte of an input before it has been checked.
rustc=$1; shift
name=
for ((i = 1; i <= $#; i++)); do
  [ "${!i}" = --crate-name ] && { i=$((i + 1)); name=${!i}; break; }
done
case $name in
  kashi_parsers|calamine|quick_xml|csv|csv_core|zip|toml*|winnow|serde_json|rust_decimal|bill|config|dmon|json|platform|usage|xlsx|xml) exec "$rustc" "$@" ;;
esac
kept=()
for argument in "$@"; do
  case $argument in
    -Cpasses=sancov-module|-Cllvm-args=-sanitizer-coverage*) ;;
    *) kept+=("$argument") ;;
  esac
done
exec "$rustc" "${kept[@]}"
