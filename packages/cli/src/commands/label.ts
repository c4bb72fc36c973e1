/** `signalbox calibration label`: uploads what was right about Decisions. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Line, readLines } from "../files/readLines.ts"
import { isRefusal, postJson } from "../instance/askInstance.ts"
import { instanceFlags, resolveInstance } from "../instance/instanceFlags.ts"
import { jsonFlag } from "../output/reportFlags.ts"
import { clearProgress, showProgress } from "../output/progress.ts"
import { usageError } from "../usageError.ts"

const Label = Schema.Struct({
  generation_id: Schema.NonEmptyString,
  labels: Schema.Record(
    Schema.String,
    Schema.Union([Schema.Boolean, Schema.Finite, Schema.String])
  ),
  weight: Schema.optionalKey(Schema.Finite)
})
const decodeLine = Schema.decodeUnknownResult(Schema.fromJsonString(Label))

const example = `{"generation_id": "gen-dec-…", "labels": {"urgent": true}}`

export const label = Command.make(
  "label",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription(`Lines of JSON such as ${example}; - is the standard input`)
    ),
    ...instanceFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* (flags) {
    const labels = yield* readLabels(flags.file)
    const instance = yield* resolveInstance(flags)
    const failures: Array<{ readonly line: number; readonly problem: string }> = []
    let labeled = 0
    for (const [index, { body, line }] of labels.entries()) {
      showProgress(`Labelling ${index + 1} of ${labels.length}`)
      const posted = yield* Effect.result(
        postJson(instance, "/signalbox/calibration/samples", body, Schema.Unknown)
      )
      if (Result.isSuccess(posted)) labeled += 1
      else if (isRefusal(posted.failure)) return yield* posted.failure
      else failures.push({ line, problem: posted.failure.message })
    }
    yield* clearProgress
    yield* Console.log(
      flags.json
        ? JSON.stringify({ labeled, failures }, null, 2)
        : `Labelled ${labeled} of ${labels.length} Decisions.`
    )
    const [first] = failures
    if (first !== undefined) {
      return yield* usageError(
        `${failures.length} of ${labels.length} lines failed, first line ${first.line}: ${first.problem}`
      )
    }
  })
).pipe(Command.withDescription("Upload what was right about Decisions."))

/** Every line is checked before the first is sent. */
const readLabels = Effect.fnUntraced(function* (path: string) {
  const lines = yield* Effect.tryPromise({
    try: async () => {
      const read: Array<Line> = []
      for await (const line of readLines(path)) read.push(line)
      return read
    },
    catch: (error) =>
      usageError(
        `Could not read ${path}: ${error instanceof Error ? error.message : String(error)}`,
        error
      )
  })
  const labels: Array<{ readonly line: number; readonly body: typeof Label.Type }> = []
  for (const { number, text } of lines) {
    const decoded = decodeLine(text)
    if (Result.isFailure(decoded)) {
      return yield* usageError(
        `${path}, line ${number} is no label; expected, for example: ${example}`,
        decoded.failure
      )
    }
    labels.push({ line: number, body: decoded.success })
  }
  return labels
})
