/** `signalbox explain`: which endpoints a request would be tried at, in which order, and why not at others. */
import { isResponseError, type ReportsPlanInput } from "@signalbox/client"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type JsonFile, readJsonFile } from "../files/JsonFile.ts"
import { callInstance } from "../instance/callInstance.ts"
import { instanceFlags, resolveInstance } from "../instance/instanceFlags.ts"
import { makeLocalInstance } from "../instance/makeLocalInstance.ts"
import { isRecord } from "../models/readListing.ts"
import { printReport } from "../output/printReport.ts"
import { jsonFlag } from "../output/reportFlags.ts"
import { renderPlan } from "../plans/renderPlan.ts"
import { usageError } from "../usageError.ts"

export const explain = Command.make(
  "explain",
  {
    request: Argument.String("request").pipe(
      Argument.withDescription(
        "JSON file of a Decision, a chat or another request; - is the standard input"
      )
    ),
    replay: Flag.Path("replay").pipe(
      Flag.withDescription(
        "Plan as an earlier explanation did, a file of --json: with its seed, health and conversation"
      ),
      Flag.optional
    ),
    workspace: Flag.String("workspace").pipe(
      Flag.withDescription("Plan for this workspace, by its id or slug; default: that of the key"),
      Flag.optional
    ),
    config: Flag.Path("config").pipe(
      Flag.withDescription(
        "Plan in this process, with this configuration, instead of asking a running instance"
      ),
      Flag.withAlias("c"),
      Flag.optional
    ),
    ...instanceFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* (flags) {
    const request = yield* readJsonFile(flags.request)
    if (!isRecord(request.value)) {
      return yield* usageError(
        `${request.locate([])}: a request is an object such as {"model": "acme/talker", "messages": […]}`
      )
    }
    const replay = Option.isSome(flags.replay) ? yield* readReplay(flags.replay.value) : undefined
    const instance = Option.isSome(flags.config)
      ? yield* makeLocalInstance(flags.config)
      : yield* resolveInstance(flags)
    const workspace = Option.getOrUndefined(flags.workspace)
    // The instance checks what the files have.
    const input = {
      request: request.value,
      ...(workspace === undefined ? undefined : { workspace_id: workspace }),
      ...replay?.fields
    } as unknown as ReportsPlanInput
    const { data } = yield* Effect.mapError(
      callInstance(instance, (client, signal) => client.reports.plan(input, { signal })),
      (error) => toFileError(request, replay?.file, error)
    )
    yield* printReport({ text: (paint) => renderPlan(data, paint), json: () => data }, flags)
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Say which endpoints a running instance would try for a request, in which order, at what price, and why not others. Calls no provider."
  ),
  Command.withExamples([
    {
      command: "signalbox explain request.json --json > plan.json",
      description: "Keep the plan of a request"
    },
    {
      command: "signalbox explain request.json --replay plan.json",
      description: "Plan it again as it was, with the configuration of now"
    },
    {
      command: "signalbox explain request.json --replay plan.json --config signalbox.config.mts",
      description: "What a changed configuration would have done, without a running instance"
    }
  ])
)

const replayedFields: ReadonlySet<string> = new Set(["seed", "health", "affinity"])

const readReplay = Effect.fnUntraced(function* (path: string) {
  const file = yield* readJsonFile(path)
  const { locate, value } = file
  if (!isRecord(value) || !("seed" in value && "health" in value)) {
    return yield* usageError(
      `${locate([])}: this is no explanation with a seed and health: save one with signalbox explain --json`
    )
  }
  const fields = Object.entries(value).filter(([name]) => replayedFields.has(name))
  return { file, fields: Object.fromEntries(fields) }
})

/** What the instance says about a field of a file, with its place there. */
const toFileError = (
  request: JsonFile,
  replay: JsonFile | undefined,
  error: ReturnType<typeof usageError>
) => {
  const { cause } = error
  if (!isResponseError(cause, 400)) return error
  const { facts, message } = cause
  const [first, ...path] = facts.path ?? []
  if (first === "request") {
    return usageError(`${request.locate(path)}: ${message.replace(/^request(\.|: )/, "")}`, cause)
  }
  return replay !== undefined && replayedFields.has(String(first))
    ? usageError(`${replay.locate([String(first), ...path])}: ${message}`, cause)
    : error
}
