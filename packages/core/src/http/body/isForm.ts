/** Whether a browser may send this content type from a form of any site, without asking the server first. */
export const isForm = (contentType: string | undefined): boolean =>
  contentType !== undefined && forms.test(contentType)

/** Source: Fetch, "CORS-safelisted request-header". */
const forms =
  /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(?:;|$)/i
