/** Checks a page of the console against WCAG 2.2 AA with axe-core. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { AxeResults } from "axe-core"
import type { Browser } from "puppeteer-core"

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Waits for the network to be quiet, since an empty page violates nothing. */
export const auditAccessibility = async (
  browser: Browser,
  /** The address of the page. */
  url: string,
  {
    opens,
    scheme,
    waitFor,
    width
  }: {
    /** The beginning of the name of a button whose dialog is checked with the page. */
    opens?: string
    scheme: "dark" | "light"
    waitFor: string
    width: number
  }
): Promise<ReadonlyArray<string>> => {
  const context = await browser.createBrowserContext()
  try {
    const page = await context.newPage()
    await page.setViewport({ width, height: 900 })
    // For this page alone: the policy of the console forbids the script of the check.
    await page.setBypassCSP(true)
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }])
    await page.goto(url)
    await page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(waitFor)})`)
    await page.waitForNetworkIdle({ idleTime: 200, concurrency: 1 })
    if (opens !== undefined) {
      await page.locator(`button[aria-label^="${opens}"], button::-p-text(${opens})`).click()
      await page.waitForSelector("dialog[open]")
    }
    await page.evaluate(source)
    // Safe: it is what `axe.run` resolves to.
    const { violations } = (await page.evaluate(check)) as AxeResults
    return violations.flatMap(({ help, id, impact, nodes }) =>
      impact === "serious" || impact === "critical"
        ? nodes.map(({ failureSummary, html }) => `${id} (${help}): ${html}\n${failureSummary}`)
        : []
    )
  } finally {
    await context.close()
  }
}

const check = `axe.run(document, {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
})`
