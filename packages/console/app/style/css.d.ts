/** Style sheets are bundled with the page. */
declare module "*.css"
