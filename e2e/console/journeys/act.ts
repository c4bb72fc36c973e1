/** Clicks an action through to its result. */
import type { BrowserTab } from "../support/BrowserTab.ts"

export const act = async (
  tab: BrowserTab,
  /** The beginning of the name of the button. */
  button: string,
  confirmation: string,
  result: string
): Promise<void> => {
  await tab.page.locator(`[aria-label^="${button}"]`).click()
  await tab.page.locator(`dialog[open] ::-p-text(${confirmation})`).click()
  await tab.waitFor(result)
  await tab.page.locator("dialog[open] ::-p-text(Close)").click()
  await tab.page.waitForSelector("dialog[open]", { hidden: true })
}
