namespace Ripple.Load.Push;

/// <summary>The options type that a published value becomes.</summary>
internal sealed class LoadSettings
{
    public int Publish { get; set; } = -1;

    public string Content { get; set; } = string.Empty;

    public string Hash { get; set; } = string.Empty;
}
