namespace Quickstart.Showing;

/// <summary>A line of the table: how far one release is. Counts are of nodes.</summary>
internal sealed record ReleaseRow
{
    public required ulong Release { get; init; }

    public string What { get; init; } = string.Empty;

    /// <summary>Bytes of datagrams the host sent since the publish.</summary>
    public long BytesSent { get; init; }

    public int Received { get; init; }

    public int Persisted { get; init; }

    public int Applied { get; init; }

    public int Rejected { get; init; }

    /// <summary>From the publish to the last node that put it in effect; null while some have not.</summary>
    public double? LastMs { get; init; }
}
