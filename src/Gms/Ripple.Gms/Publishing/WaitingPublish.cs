namespace Ripple.Gms.Publishing;

/// <summary>A publish that waits to be ordered, or is on its way to the disk.</summary>
/// <param name="Publish">What is published; null for the record that begins a generation.</param>
/// <param name="Actor">Who publishes.</param>
/// <param name="Entry">Its entry in the ledger; null for the record of a generation.</param>
/// <param name="Done">Told what became of it; null for the record of a generation.</param>
/// <param name="Reason">Why a generation begins; null for a publish.</param>
internal sealed record WaitingPublish(
    PreparedPublish? Publish, string Actor, PublishLedger.Entry? Entry, Action<PublishAnswer>? Done, string? Reason);
