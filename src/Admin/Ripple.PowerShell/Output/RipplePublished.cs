using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>The published release: committed, and on its way to the nodes.</summary>
public sealed class RipplePublished
{
    internal RipplePublished(PublishResult result)
    {
        Application = result.Application;
        Release = result.Release;
        Generation = result.Generation;
        Id = result.Id;
        PublishId = result.PublishId;
    }

    /// <summary>The application.</summary>
    public string Application { get; }

    /// <summary>The release.</summary>
    public ulong Release { get; }

    /// <summary>The generation.</summary>
    public uint Generation { get; }

    /// <summary>Its id, 40 hexadecimal digits.</summary>
    public string Id { get; }

    /// <summary>The publish id of the request.</summary>
    public Guid PublishId { get; }
}
