/** Requests run without the services of an instance, but with every reference that they look up. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import { expect, test } from "vitest"
import { toRequestContext } from "../../../src/api/server/requestContext.ts"
import { RequestClient } from "../../../src/engine/upstreams/transport/RequestClient.ts"

const sources = join(import.meta.dirname, "../../../src")

/**
 * Annotations of the contract and of causes, the client, which requests have under another name, what is resolved when services are built, and what is added to the context of one request,
 * one attempt, one transaction, one AI call or one read of a catalog.
 */
const addedLater: ReadonlySet<string> = new Set([
  "@signalbox/core/domains/organization/CurrentOrganization",
  "@signalbox/core/domains/pkce/CurrentPkce",
  "@signalbox/core/domains/presets/HostPresets",
  "@signalbox/core/routing/cache/CurrentResponseCacheRules",
  "@signalbox/core/routing/filters/ContentChecks",
  "@signalbox/core/tenants/workspaces/ContentKeeping",
  "@signalbox/core/memory/CurrentJournal",
  "@signalbox/core/memory/MemoryPeople",
  "@signalbox/core/domains/people/LegalHold",
  "@signalbox/core/api/server/HostRequest",
  "@signalbox/core/api/server/OriginalUrl",
  "@signalbox/core/ai/CurrentCaller",
  "@signalbox/core/engine/catalog/source/ReportSkipped",
  "@signalbox/core/engine/catalog/prices/DefaultPrices",
  "@signalbox/core/api/body/HostBody",
  "@signalbox/core/api/server/Mount",
  "@signalbox/core/api/server/OperationDecoders",
  "@signalbox/core/domains/alerts/CurrentAlertConfig",
  "@signalbox/core/domains/experiments/Experiments",
  "@signalbox/core/engine/ledger/CurrentSettledLimits",
  "@signalbox/core/engine/jobs/OnJobOffer",
  "@signalbox/core/engine/observability/logging/CurrentRequest",
  "@signalbox/core/routing/attempt/Unread",
  "@signalbox/core/engine/upstreams/transport/CurrentConnectionWait",
  "@signalbox/core/engine/upstreams/transport/RequestClient"
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
  .filter((key) => !key.startsWith("@signalbox/core/api/contract/") && !addedLater.has(key))

test("requests find every reference of their instance", () => {
  expect(referenceKeys).toContain("@signalbox/core/instance/Settings")
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

test("requests have the client of their instance, which its own context does not offer to a host", () => {
  const client = HttpClient.make(() => Effect.die("it is not called"))
  const instance = Context.make(RequestClient, client)
  expect(Context.getOrUndefined(instance, HttpClient.HttpClient)).toBeUndefined()
  expect(Context.getOrUndefined(toRequestContext(instance), HttpClient.HttpClient)).toBe(client)
})
