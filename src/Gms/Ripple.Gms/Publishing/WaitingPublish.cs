namespace Ripple.Gms.Publishing;

/// <summary>A publish that is waiting to be ordered or being written to disk.</summary>
/// <param name="Publish">The content; null for the record that begins a generation.</param>
/// <param name="Actor">The publisher.</param>
/// <param name="Entry">Its ledger entry; null for a generation record.</param>
/// <param name="Done">Called with the outcome; null for a generation record.</param>
/// <param name="Reason">The reason that a generation begins; null for a publish.</param>
/// <param name="Generation">The generation that begins; 0 for a publish.</param>
internal sealed record WaitingPublish(
    PreparedPublish? Publish, string Actor, PublishLedger.Entry? Entry, Action<PublishAnswer>? Done, string? Reason, uint Generation = 0);
