using System.Text.RegularExpressions;

namespace Ripple.Architecture.Tests.Documents;

/// <summary>Says what a document names that is not there.</summary>
internal sealed partial class DocumentCheck
{
    private static readonly HashSet<string> None = [];

    private readonly KnownTexts _texts = new();
    private readonly KnownPredicates _predicates = new();
    private readonly ForeignWords _foreign;
    private readonly NameCheck _names;
    private readonly CommandCheck _commands;
    private readonly HashSet<string> _cmdlets;

    public DocumentCheck(ForeignWords foreign)
    {
        _foreign = foreign;
        _names = new NameCheck(new KnownNames(), _texts, foreign);
        _commands = new CommandCheck(new KnownPrograms(), _texts, foreign);
        _cmdlets =
        [
            .. from file in Repository.Files("*.cs", "src/Admin")
               from Match match in CmdletAttribute().Matches(File.ReadAllText(file))
               select $"{match.Groups[1].Value}-{match.Groups[2].Value}",
        ];
    }

    /// <summary>One line for each false name, with its document and line.</summary>
    public IEnumerable<string> Judge(string document, string markdown)
    {
        CodePiece[] pieces = [.. MarkdownCode.Read(document, markdown)];
        HashSet<string> declared =
            [.. pieces.Where(p => !p.IsSpan).SelectMany(p => Declaration().Matches(p.Text)).Select(m => m.Groups[1].Value)];
        return from piece in pieces
               from wrong in (piece.IsSpan ? OfSpan(piece, declared) : OfLine(piece, declared)).Distinct(StringComparer.Ordinal)
               select $"{piece.Document}:{piece.Line} names '{wrong}', which is not there, in '{piece.Text.Trim()}'";
    }

    private IEnumerable<string> OfLine(CodePiece piece, HashSet<string> declared) => piece.Language switch
    {
        "predicate" => _predicates.IsPredicate(piece.Text) ? [] : [piece.Text],
        "csharp" => _names.Of(piece.Text, declared),
        "powershell" => Cmdlets(piece.Text),
        "console" or "bash" or "" => _commands.OfLine(piece).Concat(Cmdlets(piece.Text)),
        "mermaid" or "text" or "ini" => [],
        _ => [$"the language {piece.Language}"],
    };

    private IEnumerable<string> OfSpan(CodePiece piece, HashSet<string> declared)
    {
        string text = piece.Text;
        if (KnownPredicates.IsMeant(text))
        {
            return _predicates.Unknown(text).Concat(_names.Of(text, declared));
        }

        if (_commands.OfSpan(piece) is { } unknown)
        {
            return unknown;
        }

        if (Cmdlet().IsMatch(text))
        {
            return Cmdlets(text);
        }

        if (Path().IsMatch(text))
        {
            return IsThere(text) || _foreign.Has(text) ? [] : [text];
        }

        if (Capitals().IsMatch(text))
        {
            return _texts.IsInLiteral(text) || _foreign.Has(text) ? [] : [text];
        }

        return _names.Of(text, declared);
    }

    /// <summary>
    /// A path from the root has to be there as it is; others may be the end of one, or a path that the code itself writes down.
    /// </summary>
    private bool IsThere(string path) => _texts.IsFromRoot(path)
        ? _texts.IsFromRootAndThere(path)
        : _texts.IsPath(path) || _texts.IsInLiteral(path.Split('?')[0].TrimStart('.').TrimEnd('/'));

    /// <summary>Cmdlets and their parameters.</summary>
    private IEnumerable<string> Cmdlets(string text) =>
        Cmdlet().Matches(text).Select(m => m.Value).Where(c => !_cmdlets.Contains(c) && !_foreign.Has(c))
            .Concat(Parameter().Matches(text).SelectMany(m => _names.Of(m.Groups[1].Value, None)));

    /// <summary>A span that is one path or file: with a slash, or ending as files do.</summary>
    [GeneratedRegex(
        @"^(?![~%<\d]|\w+://)[\w.*?=/<>-]*/[\w.*?=/<>-]*$"
        + @"|^\*?[\w.-]*\.(cs|csproj|md|json|txt|props|pem|db|connection|cc|snapshot|editorconfig)$")]
    private static partial Regex Path();

    [GeneratedRegex(
        @"\b(?:Add|Connect|Convert\w*|ForEach|Get|Import|Invoke|New|Out|Publish|Remove|Select|Set|Start|Stop|Undo|Wait)-[A-Z]\w+"
        + @"|\b[A-Z][a-z]+-Ripple\w*")]
    private static partial Regex Cmdlet();

    [GeneratedRegex(@"(?<![\w-])-([A-Z]\w+)")]
    private static partial Regex Parameter();

    [GeneratedRegex(@"\[Cmdlet\(\s*Verbs\w+\.(\w+),\s*""(\w+)""")]
    private static partial Regex CmdletAttribute();

    [GeneratedRegex("^[A-Z][A-Z_0-9]{2,}$")]
    private static partial Regex Capitals();

    [GeneratedRegex(@"\b(?:class|record|struct)\s+([A-Z]\w*)")]
    private static partial Regex Declaration();
}
