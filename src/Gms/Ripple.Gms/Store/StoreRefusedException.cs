namespace Ripple.Gms.Store;

/// <summary>A batch breaks a rule of the stored state; the message is for its committer.</summary>
internal sealed class StoreRefusedException(string message) : Exception(message);
