/** Two processes on one database: each applies the changes of the other within a second and without queries. */
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
  /** The hash of the calling key. */
  readonly key: string
  /** The id of the default guardrail. */
  readonly guardrail: string
}

interface Change {
  readonly what: string
  readonly step: (context: ChangeContext) => InstanceRequest
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
    what: "the provider is restricted to a credential without allowed models",
    step: () => ({
      method: "POST",
      url: "/v1/byok",
      body: { provider: "first", key: "sk-of-a-customer", is_byok_only: true, allowed_models: [] }
    }),
    status: 404
  }
]

describe("another process", () => {
  test.each(pickSample(changes, 3))("rejects requests once $what", async ({ status, step }) => {
    await using upstream = await ScriptedUpstream.start()
    const config = makeConfig(upstream)
    const secondProcess = await startSecondProcess(config)
    const instance = await makeSharedInstance(config)
    try {
      const read = async (url: string) =>
        Object((await instance.ask({ method: "GET", url })).body).data
      const rows = await read("/v1/keys")
      const { hash: key } = rows.find(({ name }: { readonly name: string }) => name === "member")
      const { default_guardrail_id: guardrail } = await read("/v1/workspaces/default")
      expect((await instance.ask(decision)).status).toBe(200)
      expect((await instance.ask(decision)).status).toBe(200)
      const changed = await secondProcess.ask(step({ key, guardrail }))
      expect(changed).toMatchObject({ status: expect.toSatisfy((status) => status < 300) })
      await expect.poll(() => instance.ask(decision), { interval: 1 }).toMatchObject({ status })
    } finally {
      await instance.close()
      await secondProcess.stop()
    }
  })
})

/**
 * Counts the queries of a Decision with warm caches. Retries until they are at most `most`, as the instance's own
 * writes invalidate its caches a little later.
 */
const countStatements = async (credits: Readonly<Record<string, string>>, most: number) => {
  await using upstream = await ScriptedUpstream.start()
  const config = makeConfig(upstream)
  let requested: Array<string> = []
  const recordStatements = Layer.succeed(CurrentTransformer, (statement) => {
    requested.push(statement.compile()[0])
    return Effect.succeed(statement)
  })
  const instance = await makeSharedInstance(config, {
    credits,
    stores: Layer.merge(postgres({ ...config.database, stalenessMillis: 60_000 }), recordStatements)
  })
  try {
    for (let tries = 0; tries === 0 || (requested.length > most && tries < 100); tries++) {
      expect((await instance.ask(decision)).status).toBe(200)
      await setTimeout(20)
      requested = []
      expect((await instance.ask(decision)).status).toBe(200)
    }
    // The close adds those of its own.
    return [...requested]
  } finally {
    await instance.close()
  }
}

describe("a Decision of a cached caller", () => {
  test("needs no query when spending is unlimited", async () => {
    expect(await countStatements({}, 0)).toEqual([])
  })

  test("reserves before the upstream call and settles after it, with one statement each", async () => {
    expect(await countStatements({ default: "5" }, 2)).toEqual([
      expect.stringContaining("ledger_apply"),
      expect.stringContaining("ledger_apply")
    ])
  })
})
