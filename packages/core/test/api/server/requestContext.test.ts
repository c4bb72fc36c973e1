/** Requests run without the services of an instance, but with every reference that they look up. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Context from "effect/Context"
import { expect, test } from "vitest"
import { toRequestContext } from "../../../src/api/server/requestContext.ts"

const sources = join(import.meta.dirname, "../../../src")

/**
 * Annotations of the contract and of causes, what is resolved when services are built, and what is added to the context of one request,
 * one attempt, one transaction, one AI call or one read of a catalog.
 */
const addedLater: ReadonlySet<string> = new Set([
  "@signalbox/core/CurrentJournal",
  "@signalbox/core/SentUrl",
  "@signalbox/core/ai/CurrentCaller",
  "@signalbox/core/catalog/source/ReportSkipped",
  "@signalbox/core/http/body/HostBody",
  "@signalbox/core/http/server/Mount",
  "@signalbox/core/http/server/OperationDecoders",
  "@signalbox/core/experiments/Experiments",
  "@signalbox/core/jobs/OnJobOffer",
  "@signalbox/core/observability/logging/CurrentRequest",
  "@signalbox/core/routing/attempt/Unread",
  "@signalbox/core/upstreams/transport/ConnectionWait"
])

const referenceKeys = globSync("**/*.ts", { cwd: sources })
  .flatMap((file) =>
    Array.from(
      readFileSync(join(sources, file), "utf8").matchAll(
        /Context\.Reference(?:<[^(]*>)?\(\s*"(@signalbox\/core\/[^"]+)"/g
      ),
      ([, key = ""]) => key
    )
  )
  .filter((key) => !key.startsWith("@signalbox/core/http/contract/") && !addedLater.has(key))

test("requests find every reference of their instance", () => {
  expect(referenceKeys).toContain("@signalbox/core/Settings")
  const context = Context.makeUnsafe(new Map(referenceKeys.map((key) => [key, "set"])))
  expect([...toRequestContext(context).mapUnsafe.keys()].toSorted()).toEqual(
    referenceKeys.toSorted()
  )
})

test("requests run without the services that were resolved when the instance was made", () => {
  const key = "@signalbox/core/routing/Routing"
  const context = Context.makeUnsafe(
    new Map([
      [key, "a service"],
      ["effect/http/HttpClient", "a client"]
    ])
  )
  expect([...toRequestContext(context).mapUnsafe.keys()]).toEqual(["effect/http/HttpClient"])
})
