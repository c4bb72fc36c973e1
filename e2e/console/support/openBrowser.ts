/** Opens the browser that comes with the development dependencies, or the one that `CHROME_PATH` names. */
import { type Browser, launch } from "puppeteer-core"

/** Undefined where there is no browser: the package has one for Linux on x64 alone. */
export const canOpenBrowser =
  process.env["CHROME_PATH"] !== undefined ||
  (process.platform === "linux" && process.arch === "x64")

export const openBrowser = async (): Promise<Browser> => {
  const installed = process.env["CHROME_PATH"]
  if (installed !== undefined) return launch({ executablePath: installed, headless: "shell" })
  // Makes the package unpack the libraries that the browser needs, too.
  process.env["AWS_LAMBDA_JS_RUNTIME"] = "nodejs22.x"
  const { default: chromium } = await import("@sparticuz/chromium")
  return launch({
    executablePath: await chromium.executablePath(),
    args: ["--no-sandbox"],
    headless: "shell"
  })
}
