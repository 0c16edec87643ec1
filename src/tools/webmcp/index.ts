export { offerTools, type OfferedCall, type OfferedTools, type OfferToolsOptions } from './offer-tools.ts';
export { listPageTools, type PageTool, type PageToolsOptions } from './page-tools.ts';
export { followPageTools, type FollowedPageTools, type FollowPageToolsOptions } from './follow-page-tools.ts';
export { isWebMCPSupported } from './model-context.ts';
