/** Opens the browser that comes with the development dependencies, or the one that `CHROME_PATH` names. */
import { type Browser, launch, type LaunchOptions } from "puppeteer-core"

/** Undefined where there is no browser: the package has one for Linux on x64 alone. */
export const canOpenBrowser =
  process.env["CHROME_PATH"] !== undefined ||
  (process.platform === "linux" && process.arch === "x64")

/** The machine may have a locale that browsers do not name. */
const options: LaunchOptions = {
  headless: "shell",
  env: { ...process.env, LANG: "en_US.UTF-8", LANGUAGE: "en-US" }
}

export const openBrowser = async (): Promise<Browser> => {
  const installed = process.env["CHROME_PATH"]
  if (installed !== undefined) return launch({ ...options, executablePath: installed })
  // Makes the package unpack the libraries that the browser needs, too.
  process.env["AWS_LAMBDA_JS_RUNTIME"] = "nodejs22.x"
  const { default: chromium } = await import("@sparticuz/chromium")
  return launch({
    ...options,
    executablePath: await chromium.executablePath(),
    args: ["--no-sandbox", "--lang=en-US"]
  })
}
