/** What plugins let an OpenRouter server do by itself. */
import { assert, describe, it } from "@effect/vitest"
import {
  findPluginModels,
  findPluginTools
} from "../../../src/conversation/serverTools/findToolModels.ts"

const plugins = [
  { id: "context-compression" },
  { id: "web", max_uses: 2 },
  {
    id: "fusion",
    model: "a/judge",
    analysis_models: ["b/one"],
    tools: [{ parameters: { model: "c/two" } }]
  },
  { id: "file-parser", enabled: false },
  { id: "auto-router", allowed_models: ["d/three"] }
]

describe("plugins", () => {
  it("search, or do what is not known", () => {
    assert.deepStrictEqual(findPluginTools(plugins), [
      { path: "plugins.1", type: "plugin web", parameter: "plugins", fee: "search", maxCalls: 2 },
      { path: "plugins.2", type: "plugin fusion", parameter: "plugins", fee: "unknown" }
    ])
    assert.deepStrictEqual(findPluginTools("web"), [])
  })

  it("name models", () => {
    assert.deepStrictEqual(findPluginModels(plugins), [
      { path: "plugins.2.model", name: "a/judge" },
      { path: "plugins.2.analysis_models", name: "b/one" },
      { path: "plugins.2.tools.0.parameters.model", name: "c/two" }
    ])
  })
})
