/**
 * Properties are tried with the same values in every run, so that they fail because of a change alone.
 * `SIGNALBOX_SEED` names other values; a failure prints its own.
 */
import fc from "fast-check"

fc.configureGlobal({ seed: Number(process.env["SIGNALBOX_SEED"] ?? 1) })
