/** The files of a new folder, by their paths. */
import { type FolderPlan, providers } from "./FolderPlan.ts"
import { hostPackages, manifest } from "./manifest.ts"

export const listFiles = (plan: FolderPlan): ReadonlyMap<string, string> =>
  new Map([
    ["package.json", manifest(plan)],
    ["signalbox.config.mts", configuration(plan)],
    ...(plan.host === "express" ? ([["server.mts", expressServer]] as const) : []),
    ["signalbox.test.mts", test(plan)],
    ["tsconfig.json", compilerOptions],
    [".env.example", environment(plan)],
    [".gitignore", "node_modules/\n.env\nsignalbox.db*\n"]
  ])

const configuration = ({ host, provider }: FolderPlan): string => {
  const { model, variable } = providers[provider]
  const slug = provider === "google" ? "google-ai-studio" : provider
  const last =
    host === "express"
      ? `keys: [{ key: process.env.SIGNALBOX_API_KEY ?? "", kind: "member", user: "ada" }]`
      : "server: { console: true }"
  return `/** What Signalbox serves. \`npx signalbox check\` finds mistakes in it. */
import { existsSync } from "node:fs"
import { defineConfig } from "@signalbox/cli"
import { ${provider} } from "@signalbox/${provider}"

if (existsSync(".env")) process.loadEnvFile()

export default defineConfig({
  upstreams: [${provider}({ apiKey: process.env.${variable} })],
  models: [{ id: "${model}", endpoints: [{ provider: "${slug}" }] }],
  ${last}
})
`
}

const expressServer = `/** The application, with Signalbox at /ai. */
import { once } from "node:events"
import { Signalbox, signalbox } from "@signalbox/express"
import express from "express"
import options from "./signalbox.config.mts"

const instance = await Signalbox.make(options)
const app = express().use("/ai", signalbox(instance))
const port = Number(process.env.PORT ?? 3000)
const server = app.listen(port)
await once(server, "listening")
console.log(\`Signalbox is at http://127.0.0.1:\${port}/ai/api/v1, its reference at /ai/api/v1/docs\`)

process.once("SIGTERM", async () => {
  instance.drain()
  server.close()
  await instance.close()
})
`

const test = ({ host, provider }: FolderPlan): string => {
  const { model, variable } = providers[provider]
  return `/** Says where a chat would go and what it would cost. Calls no provider. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { Signalbox } from "${hostPackages[host]}"

process.env.${variable} ??= "sk-of-the-test"
process.env.SIGNALBOX_API_KEY ??= "sk-of-the-test"
const { default: config } = await import("./signalbox.config.mts")

test("a chat goes to an endpoint with a known price", async () => {
  const { server: _, ...options } = config
  const instance = await Signalbox.make(options)
  try {
    const plan = await instance.explain({
      model: "${model}",
      messages: [{ role: "user", content: "Is it calm at sea?" }]
    })
    assert.equal(plan.ordered.length, 1)
    assert.ok(plan.ordered[0]?.estimated_cost)
  } finally {
    await instance.close()
  }
})
`
}

/** \`effect\` declares types of browsers, so its declarations are not checked. */
const compilerOptions = `${JSON.stringify(
  {
    compilerOptions: {
      target: "es2024",
      module: "nodenext",
      strict: true,
      exactOptionalPropertyTypes: true,
      erasableSyntaxOnly: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
      types: ["node"]
    },
    include: ["*.mts"]
  },
  undefined,
  2
)}\n`

const environment = ({ host, provider }: FolderPlan): string =>
  [
    "# Copy this file to .env, which stays out of the repository.",
    `${providers[provider].variable}=`,
    ...(host === "express"
      ? ["# The key that your clients send: echo sk-$(openssl rand -hex 32)", "SIGNALBOX_API_KEY="]
      : [
          "# Administers; needed where the first start is not on a terminal.",
          "# SIGNALBOX_MANAGEMENT_KEY="
        ]),
    ""
  ].join("\n")
