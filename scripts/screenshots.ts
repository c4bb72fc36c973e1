/**
 * Writes a picture of each page of the console to `docs/images`, dark and light, from the server of `npm start` with its demo
 * traffic. Give the traffic some minutes: `node scripts/screenshots.ts 10`. With `SIGNALBOX_DB=./signalbox.db` it shows what
 * an earlier run of `npm start` recorded.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { Page } from "puppeteer-core"
import { openBrowser } from "../e2e/console/support/openBrowser.ts"
import { buildConsole } from "./buildConsole.ts"

const root = join(import.meta.dirname, "..")
const images = join(root, "docs/images")
/** Readers of the documentation load them all. */
const maxBytes = 200_000
/** At double resolution, for screens that have it. */
const window = { width: 1_280, height: 720, deviceScaleFactor: 2 }

/** Resolves to the address of the console once the server listens. */
const startDemo = async (server: ChildProcess): Promise<string> => {
  let printed = ""
  for await (const chunk of server.stdout ?? []) {
    printed += String(chunk)
    const [address] = /http:\S+\/console\//.exec(printed) ?? []
    if (address !== undefined) return address
  }
  throw new Error(`the server ended early:\n${printed}`)
}

const logIn = async (page: Page, console: string): Promise<void> => {
  await page.goto(console)
  await page.locator("input[name=password]").fill("demo")
  await Promise.all([page.waitForNavigation(), page.locator("button").click()])
  await page.waitForSelector("main h1")
}

/** The pages by the paths of their addresses, as the navigation of the console lists them, and one request. */
const listPages = async (page: Page): Promise<ReadonlyArray<string>> => {
  const names = await page.$$eval("nav a[href^='#/']", (links) =>
    links.map((link) => (link.getAttribute("href") ?? "").replace(/^#\/|\?.*$/g, ""))
  )
  const rerouted = await page.evaluate(findReroutedRequest)
  return typeof rerouted === "string" ? [...names, `requests/${rerouted}`] : names
}

/** The id of the latest request that another provider answered than the first one. */
const findReroutedRequest = `fetch("api/v1/signalbox/generations?limit=100")
  .then((response) => response.json())
  .then(({ data }) => data.find(({ attempt_count, outcome }) => attempt_count > 1 && outcome === "answered")?.id)`

/** One endpoint is left out by the request, and one fails. */
const plannedRequest = JSON.stringify({
  model: "demo/atlas-mini",
  messages: [{ role: "user", content: "Is it calm at sea?" }],
  provider: { ignore: ["demo-harbor"] }
})

const takePicture = async (page: Page, console: string, hash: string): Promise<Uint8Array> => {
  await page.goto("about:blank")
  const request = hash === "route" ? `&request=${encodeURIComponent(plannedRequest)}` : ""
  await page.goto(`${console}#/${hash}?range=1h${request}`)
  await page.waitForSelector("main h1")
  // Figures arrive, and charts are drawn.
  await setTimeout(6_000)
  return page.screenshot({ type: "webp", quality: 70 })
}

const minutes = Number(process.argv[2] ?? 5)
await buildConsole()
mkdirSync(images, { recursive: true })
const server = spawn(process.execPath, [join(root, "examples/console/src/server.ts")], {
  cwd: root,
  env: { SIGNALBOX_DB: ":memory:", ...process.env, PORT: "0" },
  stdio: ["ignore", "pipe", "inherit"]
})
const browser = await openBrowser()
try {
  const console = await startDemo(server)
  server.stdout?.resume()
  await setTimeout(minutes * 60_000)
  const page = await browser.newPage()
  page.setDefaultTimeout(240_000)
  await page.setViewport(window)
  await logIn(page, console)
  for (const name of await listPages(page)) {
    for (const scheme of ["dark", "light"]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }])
      const picture = await takePicture(page, console, name)
      const file = `console-${name.startsWith("requests/") ? "request" : name}-${scheme}.webp`
      writeFileSync(join(images, file), picture)
      const kilobytes = Math.ceil(picture.length / 1_000)
      globalThis.console.log(`${file}: ${kilobytes} kB`)
      if (picture.length > maxBytes) throw new Error(`${file} is larger than ${maxBytes} bytes`)
    }
  }
} finally {
  await browser.close()
  server.kill("SIGTERM")
  await once(server, "exit")
}
