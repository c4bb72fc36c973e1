/** What to do about an error status of a running instance. */
import { escapeControls } from "@signalbox/core/render"

export const describeStatus = (
  url: string,
  status: number,
  /** What the instance says about it. */
  said: string | undefined
): string => {
  const message = said === undefined ? undefined : escapeControls(said)
  switch (status) {
    case 401:
      return `${url} does not know the API key: check the variable of --key-env`
    case 403:
      return `${url} does not allow this with the API key: use a management key of the host's account`
    case 404:
      return (
        message ??
        `Nothing answers at ${url}: is the mount part of --url, such as https://example.com/ai?`
      )
    default:
      return `${url} answered ${status}${message === undefined ? "" : `: ${message}`}`
  }
}

export const describeUnreachable = (url: string): string =>
  `Could not reach ${url}: is the application running there?`

export const describeUnknownForm = (url: string): string =>
  `${url} answers in a form that this version does not know: update the command line or the application`
