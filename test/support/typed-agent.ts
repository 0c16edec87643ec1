import type { Agent, LLMClient, Tool } from 'brooklet';

type Pay = Tool<'pay', { amount: number }, { receipt: string }>;
type PickSeat = Tool<'pick_seat', { free: string[] }, { seat: string }>;

export declare const client: LLMClient;
export declare const pay: Pay;
export declare const pickSeat: PickSeat;
export declare const agent: Agent<Pay | PickSeat>;
