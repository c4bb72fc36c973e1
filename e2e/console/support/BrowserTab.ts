/** A tab of the browser that notes what a console must not cause: errors, foreign requests, violations of its policy. */
import type { Browser, Page } from "puppeteer-core"

export class BrowserTab implements AsyncDisposable {
  readonly page: Page
  /** Errors and warnings of the browser's console, uncaught errors, failed requests. */
  readonly problems: Array<string> = []
  readonly #console: string

  private constructor(page: Page, console: string) {
    this.page = page
    this.#console = console
  }

  /** `console` is the address of the console, with the slash at its end. */
  static async open(browser: Browser, console: string, width = 1_280): Promise<BrowserTab> {
    const context = await browser.createBrowserContext()
    const page = await context.newPage()
    page.setDefaultTimeout(240_000)
    await page.setViewport({ width, height: 900 })
    const tab = new BrowserTab(page, console)
    const { origin } = new URL(console)
    page.on("console", (message) => {
      // What the policy forbids is an error of the console, too.
      if (["error", "warn"].includes(message.type()))
        tab.problems.push(`console: ${message.text()}`)
    })
    page.on("pageerror", (error) => {
      tab.problems.push(
        `uncaught: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
      )
    })
    page.on("request", (request) => {
      const url = request.url()
      if (!url.startsWith(`${origin}/`) && !url.startsWith("data:"))
        tab.problems.push(`foreign: ${url}`)
    })
    await page.evaluateOnNewDocument(reportViolations)
    return tab
  }

  /**
   * Opens a page of the console: `goTo("#/now")`. Within the console that loads nothing, so this waits until the page is
   * drawn, which also moves the focus: a key pressed before would be lost.
   */
  async goTo(hash = ""): Promise<void> {
    await this.page.goto(this.#console + hash)
    const path = /^#\/(\w+)/.exec(hash)?.[1]
    await this.page.waitForSelector(
      path === undefined ? "main h1" : `nav a[href="#/${path}"][aria-current="page"]`
    )
  }

  /** Clicks the button, link or tab with this name, as assistive technology sees it. */
  async click(name: string): Promise<void> {
    await this.page.locator(`aria/${name}`).click()
  }

  /** Waits until the page says `text`. */
  async waitFor(text: string): Promise<void> {
    await this.page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`)
  }

  /** What the page says. */
  async text(): Promise<string> {
    return String(await this.page.evaluate("document.body.innerText"))
  }

  /** Pixels by which the page is wider than its window. */
  async measureOverflow(): Promise<number> {
    return Number(await this.page.evaluate("document.documentElement.scrollWidth - innerWidth"))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.browserContext().close()
  }
}

const reportViolations = `addEventListener("securitypolicyviolation", ({ blockedURI, violatedDirective }) => {
  console.error("policy violated:", violatedDirective, blockedURI)
})`
