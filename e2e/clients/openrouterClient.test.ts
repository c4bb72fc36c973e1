import { describe, expect, test } from "vitest"
import { errorCases } from "../decisions/errorCases.ts"
import { makeClient } from "../support/makeClient.ts"
import { errorClasses } from "../support/decodeInClient.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { getProperty } from "../support/getProperty.ts"
import { keys, questions, TestServer } from "../support/TestServer.ts"
import { decisionMethods } from "../support/decisionMethods.ts"

const decisionsRequest = {
  model: "proof/model",
  state: { ticket: ["I was charged twice!", 2] },
  questions,
  provider: { order: ["first", "second"] }
}

const third = expect.closeTo(1 / 3, 9)
const twoThirds = expect.closeTo(2 / 3, 9)
const half = expect.closeTo(1 / 2, 9)
const sixth = expect.closeTo(1 / 6, 9)

/** The client's view of an upstream's default answer, which weights the options n, n-1, ..., 1. */
const toWeighedAnswers = (confidence: { readonly team: number; readonly severity: number }) => ({
  urgent: { type: "noul", noul: twoThirds },
  team: {
    type: "choice",
    choice: "billing",
    confidence: expect.closeTo(confidence.team, 9),
    probabilities: { billing: twoThirds, tech: third }
  },
  severity: {
    type: "score",
    score: twoThirds,
    confidence: expect.closeTo(confidence.severity, 9),
    probabilities: { "0": half, "1": third, "2": sixth },
    legend: { "0": "fine", "1": "bad", "2": "down" }
  }
})

/** The confidences (2/3 - 1/2) / (1/2) and 1 - (1/3 + 2/6) / (2/3). */
const derivedAnswers = toWeighedAnswers({ team: 1 / 3, severity: 0 })

const expectedAnswers = {
  /** A native upstream states its own confidence; the scripted one uses its greatest weight. */
  native: toWeighedAnswers({ team: 2 / 3, severity: 1 / 2 }),
  logprobs: derivedAnswers,
  stated: derivedAnswers,
  discrete: {
    urgent: { type: "noul", noul: 1 },
    team: {
      type: "choice",
      choice: "billing",
      confidence: 1,
      probabilities: { billing: 1, tech: 0 }
    },
    severity: {
      type: "score",
      score: 0,
      confidence: 1,
      probabilities: { "0": 1, "1": 0, "2": 0 },
      legend: { "0": "fine", "1": "bad", "2": "down" }
    }
  }
}

describe.each(pickHosts(import.meta.filename))("the reference client, against $name", (host) => {
  const mount = "/behind/ai"

  describe.each(decisionMethods)("and an upstream with the method $name", (method) => {
    test.each([
      ["{root}/api/alpha/decisions", ""],
      ["{base}/api/alpha/decisions", "/api/v1"]
    ])("decides at %s", async (_, path) => {
      await using server = await TestServer.start({ host, mount, method })
      const decision = await makeClient(server, keys.member).alpha.decisions.create(
        { decisionsRequest },
        { serverURL: server.root + path }
      )
      expect(decision).toMatchObject({ model: "proof/model", provider: "First" })
      expect(decision.id).toMatch(/^gen-dec-\d{10}-[0-9A-Za-z]{20}$/)
      expect(decision.usage.inputTokens).toBeGreaterThan(0)
      expect(decision.usage.cost).toBe(0)
      expect(decision.answers).toEqual(expectedAnswers[method.name])
      expect((await server.generation(decision.id))?.method).toBe(method.name)
    })

    test("decides at {base}/systemone", async () => {
      await using server = await TestServer.start({ host, mount, method })
      const decision = await makeClient(server, keys.member).systemOne.create({ decisionsRequest })
      expect(decision).toMatchObject({ model: "proof/model", provider: "First" })
      expect(decision.answers).toEqual(expectedAnswers[method.name])
    })
  })

  test.each(errorCases)(
    "throws a typed error for a $status: $name",
    async ({ changes, key, prepare, server, status }) => {
      await using testServer = await TestServer.start({ ...server, host, mount })
      await prepare?.(testServer)
      const failed: unknown = await makeClient(testServer, key ?? keys.member)
        .alpha.decisions.create(
          { decisionsRequest: { ...decisionsRequest, ...changes } },
          { serverURL: testServer.root }
        )
        .catch((error: unknown) => error)
      expect(failed).toBeInstanceOf(errorClasses[status])
      expect(getProperty(failed, "statusCode")).toBe(status)
      expect(getProperty(getProperty(failed, "error"), "code")).toBe(status)
    }
  )

  test("groups by the session in the body, or else in the header", async () => {
    await using server = await TestServer.start({ host, mount })
    const sessionOf = async (sessionId: string | undefined, header: string | undefined) => {
      const { id } = await makeClient(server, keys.member).alpha.decisions.create(
        {
          decisionsRequest: {
            ...decisionsRequest,
            ...(sessionId === undefined ? undefined : { sessionId })
          }
        },
        {
          serverURL: server.root,
          ...(header === undefined ? undefined : { headers: { "x-session-id": header } })
        }
      )
      return (await server.generation(id))?.session
    }
    expect(await sessionOf("from-body", "from-header")).toBe("from-body")
    expect(await sessionOf(undefined, "from-header")).toBe("from-header")
    expect(await sessionOf("from-body", undefined)).toBe("from-body")
    expect(await sessionOf(undefined, undefined)).toBeUndefined()
  })
})
