# Written by `make reference` from the table in __init__.py.

from tightrope import constructions as constructions
from tightrope import curves as curves
from tightrope import declarations as declarations
from tightrope import documents as documents
from tightrope import errors as errors
from tightrope import exact as exact
from tightrope import files as files
from tightrope import kernels as kernels
from tightrope import ledger as ledger
from tightrope import locations as locations
from tightrope import mechanisms as mechanisms
from tightrope import networks as networks
from tightrope import plots as plots
from tightrope import privacy as privacy
from tightrope import releases as releases
from tightrope import samplers as samplers
from tightrope import spaces as spaces
from tightrope import surveys as surveys
from tightrope import tables as tables
from tightrope import theory as theory
from tightrope import utility as utility
from tightrope.constructions import Comparison as Comparison
from tightrope.constructions import Effort as Effort
from tightrope.constructions import Tradeoff as Tradeoff
from tightrope.constructions import compare as compare
from tightrope.constructions import design as design
from tightrope.constructions import improve as improve
from tightrope.constructions import tradeoff as tradeoff
from tightrope.declarations import Declaration as Declaration
from tightrope.documents import inspect as inspect
from tightrope.errors import TightropeError as TightropeError
from tightrope.exact import Level as Level
from tightrope.files import example as example
from tightrope.files import load as load
from tightrope.files import read_space as space
from tightrope.files import save as save
from tightrope.ledger import Budget as Budget
from tightrope.ledger import Ledger as Ledger
from tightrope.ledger import account_for as account
from tightrope.locations import locate as locate
from tightrope.privacy import Certificate as Certificate
from tightrope.privacy import Certified as Certified
from tightrope.privacy import Refutation as Refutation
from tightrope.privacy import Witness as Witness
from tightrope.privacy import certify as certify
from tightrope.privacy import delta_curve as delta_curve
from tightrope.privacy import smallest_level as smallest_level
from tightrope.privacy import verify as verify
from tightrope.releases import Question as Question
from tightrope.releases import Release as Release
from tightrope.releases import count as count
from tightrope.releases import histogram as histogram
from tightrope.releases import mean as mean
from tightrope.releases import median as median
from tightrope.releases import open_books as open
from tightrope.releases import proportion as proportion
from tightrope.releases import quantiles as quantiles
from tightrope.releases import sum as sum
from tightrope.releases import variance as variance
from tightrope.samplers import SeededSource as SeededSource
from tightrope.samplers import draw as draw
from tightrope.samplers import draw_many as draw_many
from tightrope.spaces import Space as Space
from tightrope.tables import draft_declaration as declare
from tightrope.tables import estimate_column as estimate
from tightrope.tables import sanitize as sanitize
from tightrope.utility import Loss as Loss
from tightrope.utility import Prior as Prior
from tightrope.utility import Problem as Problem
from tightrope.utility import Solution as Solution

__version__: str
TOP: dict[str, dict[str, str]]
ROOMS: dict[str, str]
__all__: list[str]
