namespace System.Management.Automation.Language;

/// <summary>As much of PowerShell's as the cmdlets use. Its tokenizer takes four typographic quotes for the plain one.</summary>
public static class CodeGeneration
{
    public static string EscapeSingleQuotedStringContent(string value) =>
        string.Concat(value.Select(c => c is '\'' or '\u2018' or '\u2019' or '\u201A' or '\u201B' ? new string(c, 2) : c.ToString()));
}
