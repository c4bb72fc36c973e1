/** Two processes on one database: what one changes the other goes by, within a second and without asking. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { postgres } from "@signalbox/sql"
import { ScriptedUpstream } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CurrentTransformer } from "effect/sql/Statement"
import { describe, expect, inject, test } from "vitest"
import {
  type InstanceResponse,
  type InstanceRequest,
  type SharedInstanceConfig,
  makeSharedInstance
} from "../support/makeSharedInstance.ts"
import { bundleProgram } from "../../vitest.programs.ts"
import { pickSample } from "../../vitest.scope.ts"
import { keys, questions } from "../support/TestServer.ts"

const makeConfig = (upstream: ScriptedUpstream): SharedInstanceConfig => ({
  database: { url: inject("postgresUrl"), schema: `proof-${crypto.randomUUID()}` },
  upstream: upstream.url
})

const startSecondProcess = async (config: SharedInstanceConfig) => {
  const program = await bundleProgram(join(import.meta.dirname, "secondProcess.ts"))
  const child = fork(program, {
    env: { ...process.env, MEETING: JSON.stringify(config) }
  })
  await once(child, "message")
  return {
    ask: async (requested: InstanceRequest): Promise<InstanceResponse> => {
      child.send(requested)
      const [answered] = await once(child, "message")
      return answered
    },
    stop: async () => {
      const exit = once(child, "exit")
      child.disconnect()
      await exit
    }
  }
}

const decision: InstanceRequest = {
  method: "POST",
  url: "/alpha/decisions",
  body: { model: "proof/model", state: "I was charged twice!", questions },
  key: keys.member
}

interface ChangeContext {
  /** Of the key that asks. */
  readonly key: string
  /** Of the guardrail that everybody is under. */
  readonly guardrail: string
}

interface Change {
  readonly what: string
  readonly step: (places: ChangeContext) => InstanceRequest
  readonly status: number
}

const changes: ReadonlyArray<Change> = [
  {
    what: "a key is disabled",
    step: ({ key }) => ({ method: "PATCH", url: `/v1/keys/${key}`, body: { disabled: true } }),
    status: 401
  },
  {
    what: "a key is deleted",
    step: ({ key }) => ({ method: "DELETE", url: `/v1/keys/${key}` }),
    status: 401
  },
  {
    what: "a key gets a limit",
    step: ({ key }) => ({ method: "PATCH", url: `/v1/keys/${key}`, body: { limit: 0.001 } }),
    status: 402
  },
  {
    what: "the workspace gets a budget",
    step: () => ({
      method: "PUT",
      url: "/v1/workspaces/default/budgets/daily",
      body: { limit_usd: 0.001 }
    }),
    status: 403
  },
  {
    what: "a guardrail forbids the provider",
    step: ({ guardrail }) => ({
      method: "PATCH",
      url: `/v1/guardrails/${guardrail}`,
      body: { ignored_providers: ["first"] }
    }),
    status: 404
  },
  {
    what: "nothing but a credential may be used, which is for no model",
    step: () => ({
      method: "POST",
      url: "/v1/byok",
      body: { provider: "first", key: "sk-of-a-customer", is_byok_only: true, allowed_models: [] }
    }),
    status: 404
  }
]

describe("another process", () => {
  test.each(pickSample(changes, 3))("refuses once $what", async ({ status, step }) => {
    await using upstream = await ScriptedUpstream.start()
    const meeting = makeConfig(upstream)
    const neighbour = await startSecondProcess(meeting)
    const instance = await makeSharedInstance(meeting)
    try {
      const read = async (url: string) =>
        Object((await instance.ask({ method: "GET", url })).body).data
      const rows = await read("/v1/keys")
      const { hash: key } = rows.find(({ name }: { readonly name: string }) => name === "member")
      const { default_guardrail_id: guardrail } = await read("/v1/workspaces/default")
      expect((await instance.ask(decision)).status).toBe(200)
      expect((await instance.ask(decision)).status).toBe(200)
      const changed = await neighbour.ask(step({ key, guardrail }))
      expect(changed).toMatchObject({ status: expect.toSatisfy((status) => status < 300) })
      await expect.poll(() => instance.ask(decision), { interval: 1 }).toMatchObject({ status })
    } finally {
      await instance.close()
      await neighbour.stop()
    }
  })
})

/**
 * The queries of one Decision in an instance that knows its caller, as soon as that is at most `most`: what
 * a process has changed itself is told of a little later, and looked up once more.
 */
const countStatements = async (credits: Readonly<Record<string, string>>, most: number) => {
  await using upstream = await ScriptedUpstream.start()
  const config = makeConfig(upstream)
  let requested: Array<string> = []
  const counting = Layer.succeed(CurrentTransformer, (statement) => {
    requested.push(statement.compile()[0])
    return Effect.succeed(statement)
  })
  const instance = await makeSharedInstance(config, {
    credits,
    stores: Layer.merge(postgres({ ...config.database, stalenessMillis: 60_000 }), counting)
  })
  try {
    for (let tries = 0; tries === 0 || (requested.length > most && tries < 100); tries++) {
      expect((await instance.ask(decision)).status).toBe(200)
      await setTimeout(20)
      requested = []
      expect((await instance.ask(decision)).status).toBe(200)
    }
    return requested
  } finally {
    await instance.close()
  }
}

describe("a Decision of somebody who was here before", () => {
  test("asks the database nothing when spending is unlimited", async () => {
    expect(await countStatements({}, 0)).toEqual([])
  })

  test("reserves before it calls the upstream and settles after it, in one statement each", async () => {
    expect(await countStatements({ default: "5" }, 2)).toEqual([
      expect.stringContaining("ledger_reserve"),
      expect.stringContaining("ledger_end")
    ])
  })
})
