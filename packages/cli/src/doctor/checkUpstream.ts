/** Checks that a provider answers, and that it takes the host's credential. */
import { platform } from "@signalbox/node"
import type { SettingsShape } from "@signalbox/core"
import type { Upstream, UpstreamFailure } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Check, fail, pass, skip } from "./Check.ts"

const timeoutSeconds = 20

export const checkUpstream = (
  { probe, slug }: Upstream,
  settings: Partial<SettingsShape> | undefined
): Effect.Effect<Check> => {
  const name = `upstream ${slug}`
  if (probe === undefined) return Effect.succeed(skip(name, "it offers no request without a cost"))
  const { hasCredential, url } = probe
  const description = `GET ${url}`
  return Effect.result(probe.run).pipe(
    Effect.provide(platform(settings)),
    Effect.map((answer) =>
      Result.isSuccess(answer)
        ? pass(name, `${description}: ${hasCredential ? "credential accepted" : "answers"}`)
        : describeFailure(name, description, hasCredential, answer.failure)
    ),
    Effect.timeoutOrElse({
      duration: `${timeoutSeconds} seconds`,
      orElse: () =>
        Effect.succeed(unreachable(name, description, `no answer in ${timeoutSeconds} s`))
    })
  )
}

const unreachable = (name: string, description: string, problem: string): Check =>
  fail(
    name,
    `${description}: ${problem}`,
    "check its baseUrl, and whether DNS, a proxy or a firewall keeps this machine from it"
  )

const describeFailure = (
  name: string,
  description: string,
  hasCredential: boolean,
  { kind, message, status }: UpstreamFailure
): Check => {
  switch (kind) {
    case "credential_refused":
    case "forbidden":
      return hasCredential
        ? fail(
            name,
            `${description}: credential refused (${status})`,
            "check the variable that holds it, and that the account may use the API"
          )
        : pass(name, `${description}: answers; the host has no credential of its own`)
    case "not_served":
      return pass(name, `${description}: answers ${status}, so its credential is not checked`)
    case "rate_limited":
      return pass(name, `${description}: answers ${status}, so it is busy`)
    case "unreachable":
    case "timeout":
      return unreachable(name, description, message)
    case "invalid_answer":
      return fail(name, `${description}: the answer is no JSON`, "check its baseUrl")
    case "overloaded":
    case "server_error":
    case "bad_request":
    case "content_refused":
    case "context_length":
    case "unsupported_parameter":
    case "defect":
      return fail(
        name,
        `${description}: fails with ${status ?? kind}`,
        "see the status page of the provider, and try again later"
      )
  }
}
