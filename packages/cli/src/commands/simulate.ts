/** `signalbox simulate`: replays recorded traffic under other strategies, and sets them side by side. */
import {
  compareSimulations,
  renderSimulationHtml,
  renderSimulationText,
  simulate as runSimulation,
  type SimulateOptions,
  summarizeRecording,
  toSimulationJson
} from "@signalbox/core/simulator"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { instanceFlags, resolveInstance } from "../instance/instanceFlags.ts"
import { printPage } from "../output/printReport.ts"
import { showProgress } from "../output/progress.ts"
import { htmlFlag, jsonFlag } from "../output/reportFlags.ts"
import { downloadModels, readModelsFile } from "../simulation/readModels.ts"
import { downloadRecording, readRecordingFiles } from "../simulation/readRecording.ts"
import { strategies, strategyNames } from "../simulation/strategies.ts"
import { usageError } from "../usageError.ts"

export const simulate = Command.make(
  "simulate",
  {
    recordings: Argument.String("recording").pipe(
      Argument.withDescription(
        "Files of JSON lines, compressed by gzip or not; - is the standard input. Without any, the instance is asked"
      ),
      Argument.variadic()
    ),
    strategy: Flag.Literals("strategy", strategyNames).pipe(
      Flag.withDescription("A strategy to simulate; give it again for each. Default: all"),
      Flag.atLeast(0)
    ),
    hedge: Flag.Boolean("hedge").pipe(
      Flag.withDescription(
        "Also simulate each strategy with second attempts when the first event of a stream is late"
      ),
      Flag.withDefault(false)
    ),
    endpoints: Flag.Path("endpoints").pipe(
      Flag.withDescription(
        "JSON file of models with endpoints and prices; without it, the instance is asked"
      ),
      Flag.optional
    ),
    since: Flag.Date("since").pipe(
      Flag.withDescription("Ask the instance for traffic from then on; default: a day ago"),
      Flag.optional
    ),
    seed: Flag.Int("seed").pipe(
      Flag.withDescription("All draws follow from it"),
      Flag.withDefault(1)
    ),
    window: Flag.Finite("window").pipe(
      Flag.withDescription("Seconds around a call from which its answer is drawn"),
      Flag.withDefault(30)
    ),
    ...instanceFlags,
    html: htmlFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* (flags) {
    const { recordings, seed, window } = flags
    const fileModels = Option.isSome(flags.endpoints)
      ? yield* readModelsFile(flags.endpoints.value)
      : undefined
    const instance =
      recordings.length === 0 || fileModels === undefined
        ? yield* resolveInstance(flags)
        : undefined
    const recording =
      recordings.length > 0 || instance === undefined
        ? yield* readRecordingFiles(
            recordings,
            fileModels?.length === 1 ? fileModels[0]?.id : undefined
          )
        : yield* downloadRecording(instance, Option.getOrUndefined(flags.since))
    if (recording.length === 0) {
      return yield* usageError(
        "The recording is empty: record more traffic, or ask for more of it with --since"
      )
    }
    const models =
      fileModels ??
      (instance === undefined
        ? []
        : yield* downloadModels(instance, Array.from(new Set(recording.map(({ model }) => model)))))
    const names = flags.strategy.length > 0 ? flags.strategy : strategyNames
    const reports = []
    for (const name of new Set(names)) {
      for (const hedging of flags.hedge ? ([false, {}] as const) : [false as const]) {
        showProgress(
          `Simulating ${name}${hedging === false ? "" : ", hedged"}: ${recording.length} requests`
        )
        reports.push(
          yield* run({
            recording,
            models,
            strategy: strategies[name](),
            hedging,
            seed,
            windowMillis: window * 1_000
          })
        )
      }
    }
    const comparison = compareSimulations(summarizeRecording(recording), reports)
    yield* printPage(
      {
        text: () => renderSimulationText(comparison),
        json: () => toSimulationJson(comparison),
        html: () => renderSimulationHtml(comparison)
      },
      flags
    )
  })
).pipe(
  Command.withDescription(
    "Replay recorded traffic under other routing strategies. Calls no provider; the same seed gives the same figures."
  ),
  Command.withExamples([
    {
      command:
        "signalbox simulate traffic.jsonl.gz --endpoints models.json --strategy balanced --hedge --html report.html",
      description:
        "Compare what was recorded with the strategy balanced, without and with second attempts"
    },
    {
      command: "signalbox simulate --url https://example.com/ai --key-env MANAGEMENT_KEY",
      description: "Simulate every strategy on the last day of a running instance"
    }
  ])
)

const run = (options: SimulateOptions) =>
  Effect.try({
    try: () => runSimulation(options),
    catch: (error) =>
      usageError(
        error instanceof RangeError ? error.message : `The simulation failed: ${String(error)}`,
        error
      )
  })
