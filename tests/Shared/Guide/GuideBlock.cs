namespace Ripple.Tests.Shared.Guide;

/// <summary>A fenced block of a page of the guide.</summary>
/// <param name="Page">The page's file name.</param>
/// <param name="Section">The heading that it stands below, without its marks.</param>
/// <param name="Line">The line of its fence, from 1.</param>
/// <param name="Language">The word behind the fence.</param>
/// <param name="Text">Its lines, each with its line end.</param>
internal sealed record GuideBlock(string Page, string Section, int Line, string Language, string Text)
{
    /// <summary>True for what a reader types: into a shell, or into PowerShell.</summary>
    public bool IsTyped => Language is "console" or "bash" or "powershell";

    /// <summary>Its lines.</summary>
    public IEnumerable<string> Lines => Text.Split('\n', StringSplitOptions.RemoveEmptyEntries);

    public override string ToString() => $"{Page}:{Line}";
}
