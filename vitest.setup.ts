/** A sample tries the same in every run, so that it fails because of a change alone; in full, tries are random. */
import fc from "fast-check"
import { pickScope } from "./vitest.scope.ts"

fc.configureGlobal(pickScope({ full: {}, sample: { seed: 1 } }))
