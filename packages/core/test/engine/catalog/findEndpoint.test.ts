import { expect, it } from "@effect/vitest"
import { findEndpoint } from "../../../src/engine/catalog/findEndpoint.ts"
import * as Configuration from "../../../src/engine/catalog/Configuration.ts"

const configuration = Configuration.make(
  1,
  [
    { slug: "acme", name: "Acme" },
    { slug: "other", name: "Other" }
  ],
  [
    {
      id: "@cf/meta/llama",
      endpoints: [{ provider: "acme" }, { provider: "acme", variant: "eu@2" }]
    },
    { id: "acme/__proto__", endpoints: [{ provider: "other" }] }
  ]
)

it.each(configuration.models.flatMap(({ endpoints }) => endpoints.map(({ id }) => id)))(
  "finds %s",
  (id) => {
    expect(findEndpoint(configuration, id)?.id).toBe(id)
  }
)

it.each(["", "@", "acme", "@cf/meta/llama@", "@cf/meta/llama@other", "__proto__@acme"])(
  "finds nothing for %j",
  (id) => {
    expect(findEndpoint(configuration, id)).toBeUndefined()
  }
)
