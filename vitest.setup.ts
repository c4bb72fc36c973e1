/**
 * Properties are tried with the same values in every run, so that they fail because of a change alone.
 * `SIGNALBOX_SEED` names other values; a failure prints its own.
 */
import fc from "fast-check"

fc.configureGlobal({
  seed: Number(process.env["SIGNALBOX_SEED"] ?? 1),
  // Nothing else ends the search for a smaller example, which may take hours for a large one. As a plugin it would be
  // installed once more for each file of a worker.
  // oxlint-disable-next-line typescript/no-deprecated
  interruptAfterTimeLimit: 240_000
})
