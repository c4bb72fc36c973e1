/** The error of a transport whose connections to an upstream are all in use: nothing was sent. */
export class ConnectionsBusy extends Error {
  override readonly name = "ConnectionsBusy"

  constructor() {
    super("every connection to the provider is in use")
  }
}
