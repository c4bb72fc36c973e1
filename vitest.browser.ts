/** Unpacks the browser before tests. */
import { unpackBrowser } from "./e2e/console/support/openBrowser.ts"

export const setup = unpackBrowser
