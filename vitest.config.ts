import { availableParallelism } from "node:os"
import { join } from "node:path"
import { configDefaults, defineConfig } from "vitest/config"
import { lowest, onlyInFull, pickScope } from "./vitest.scope.ts"
import { LongestFirst } from "./vitest.sequencer.ts"

const left = pickScope({ full: [], sample: onlyInFull })

/** Most models of tests state no context length, and a warning about each would hide what else is logged. */
const expectedWarning = /^.*WARN.* models? states? no contextLength,.*$/gm

export default defineConfig({
  test: {
    // Far beyond what any test needs, so that a busy machine fails none. What hangs still ends.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 240_000 } },
    setupFiles: ["vitest.setup.ts"],
    globalSetup: ["vitest.console.ts", "vitest.browser.ts"],
    // Most of what a test allocates is garbage soon: a larger young generation collects it less often.
    execArgv: ["--max-semi-space-size=64"],
    // No test changes a module, so the files of a worker share what each of them imports.
    isolate: false,
    // Some tests wait for time to pass, and leave their core to another one.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    onConsoleLog: (log) => log.replace(expectedWarning, "").trim() !== "",
    // The reporter lists slower tests, which are many on a busy machine.
    slowTestThreshold: 5_000,
    // Many tests start processes of their own, each of which would compile all of its modules again.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compiled") },
    projects: [
      {
        extends: true,
        test: {
          name: "plain",
          include: [
            "packages/*/test/**/*.test.ts",
            "examples/*/test/**/*.test.ts",
            "examples/test/**/*.test.ts",
            "scripts/test/**/*.test.ts",
            "bench/test/**/*.test.ts"
          ],
          exclude: [...configDefaults.exclude, "packages/sql/**", lowest, ...left]
        }
      },
      ...pickScope({
        // Each file has a process of its own, because two versions of a framework may not share one.
        full: [{ extends: true, test: { name: "lowest", include: [lowest], isolate: true } }],
        sample: []
      }),
      {
        extends: true,
        test: {
          name: "database",
          include: ["packages/sql/test/**/*.test.ts", "e2e/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...left],
          globalSetup: ["packages/sql/test/postgresServer.ts"]
        }
      }
    ],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      reporter: ["text-summary", "json-summary", "lcovonly"],
      thresholds: { lines: 90, functions: 90, branches: 70, statements: 90 }
    }
  }
})
