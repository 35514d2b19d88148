namespace Ripple.Gms.Store;

/// <summary>Says that a store is a copy: another one went on from where it is, and gave numbers it does not know.</summary>
/// <param name="Reason">How that was found, for logs and the audit.</param>
/// <param name="SlotEpoch">The highest slot epoch known to be used; 0 if none is known.</param>
/// <param name="Generation">The highest generation known to be used, of any application; 0 if none is known.</param>
internal sealed record StoreCopy(string Reason, uint SlotEpoch, uint Generation);
